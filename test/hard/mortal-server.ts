import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import { firstAdmin } from '../../server/access/first-admin.ts'
import { buildApp } from '../../server/app.ts'
import { startBackground } from '../../server/background.ts'
import { type Environment, readConfig } from '../../server/config.ts'
import { openParts } from '../../server/parts.ts'
import type { Storage } from '../../server/storage/storage.ts'
import type { Moment } from './moments.ts'

// The whole server on its real parts, in a process that kills itself at the moment a request names in x-die-at.

const config = readConfig(process.env as Environment)
const log = pino({ level: config.logLevel })
const opened = await openParts(config, log)

const ofThisRequest = new AsyncLocalStorage<string>()
/** What a request leads to only later, in a job. */
let ofJobs: string | undefined

const reach = (moment: Moment) => {
  if (ofThisRequest.getStore() === moment || ofJobs === moment) process.kill(process.pid, 'SIGKILL')
}

/** The same part with some of it done by us, however it was made. */
const instead = <T extends object>(part: T, ours: Partial<T>): T =>
  new Proxy(part, {
    get(target, name) {
      if (name in ours) return ours[name as keyof T]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

function mortal(storage: Storage): Storage {
  return instead(storage, {
    async presignPut(...args) {
      const url = await storage.presignPut(...args)
      reach('URL signed')
      return url
    },
    async copy(...args) {
      reach('claimed')
      await storage.copy(...args)
      reach('copied')
    },
    async delete(...args) {
      await storage.delete(...args)
      reach('staging deleted')
    },
    async put(...args) {
      reach('preview drawn')
      const answer = await storage.put(...args)
      reach('preview stored')
      return answer
    },
  })
}

const begin = opened.db.transaction.bind(opened.db)
opened.db.transaction = () => {
  reach('verified')
  const transaction = begin()
  const execute = transaction.execute.bind(transaction)
  transaction.execute = async (work) => {
    const result = await execute(work)
    reach('session made')
    reach('committed')
    return result
  }
  return transaction
}

const parts: typeof opened = {
  ...opened,
  store: instead(opened.store, { storageOf: (clientId) => mortal(opened.store.storageOf(clientId)) }),
  jobs: instead(opened.jobs, {
    async send(...args) {
      await opened.jobs.send(...args)
      reach('half committed')
    },
  }),
  outbound: instead(opened.outbound, {
    async send(request) {
      const answer = await opened.outbound.send(request)
      if (request.method === 'POST') reach('delivered')
      return answer
    },
  }),
}

await firstAdmin(parts.db, config.bootstrapAdmin)
const app = await buildApp(parts, { log })
app.addHook('onRequest', (request, _reply, done) => {
  const moment = request.headers['x-die-at'] as string | undefined
  if (request.headers['x-die-in'] === 'job') ofJobs = moment
  ofThisRequest.run(moment ?? '', done)
})
const background = await startBackground(parts, log)
await app.listen({ port: config.port, host: '127.0.0.1' })
console.log('Serving')
process.on('SIGTERM', async () => {
  await background.stop()
  await app.close()
  await parts.close()
  process.exit(0)
})
