import type { FastifyInstance } from 'fastify'
import { problems } from '../../contract/problems.ts'

/** What the `type` of a problem leads to: every code with its status and its title. */
export async function problemsPage(app: FastifyInstance): Promise<void> {
  app.get('/docs/problems', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .send(page),
  )
}

const rows = Object.entries(problems).map(
  ([code, { status, title }]) =>
    `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td><td>${title}</td></tr>`,
)

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Problems of the Client Asset Library</title>
<h1>Problems</h1>
<p>A request that is refused is answered with <code>application/problem+json</code> (RFC 9457).
Its <code>code</code> is one of these and does not change; its <code>detail</code> says what the caller can do.
Which of them a route answers is told <a href="/docs">in the description of the API</a>.</p>
<table>
<thead><tr><th scope="col">code</th><th scope="col">status</th><th scope="col">title</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</html>
`
