import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../setup/postgres.ts'

const run = promisify(execFile)
const packaged = '/usr/share/wordpress'
const packages = ['wordpress', 'php-cli', 'php-mysql', 'php-gd', 'mariadb-server']

export interface Site {
  url: string
  username: string
  applicationPassword: string
  /** What WordPress itself answers, asked past everything of ours. */
  media(query?: string): Promise<Media[]>
  /** From now on it behaves like a site with such a plugin, to everybody but `media`. */
  misbehaves(how: Misbehaviour | 'not at all'): Promise<void>
  stop(): Promise<void>
}

/** Each as some site does it: a plugin of few lines, switched on by its name. */
export type Misbehaviour = keyof typeof misbehaviours

const isMedia = `strpos(urldecode($_SERVER['REQUEST_URI']), '/wp/v2/media') !== false && $_SERVER['REQUEST_METHOD'] === 'POST'`
const page = (status: number, body: string) =>
  `http_response_code(${status}); header('Content-Type: text/html'); echo '<!doctype html><title>Site</title>${body}'; exit;`

const misbehaviours = {
  notice: `echo "<br />\\n<b>Notice</b>: Undefined variable: cdn in <b>cdn.php</b> on line <b>7</b><br />\\n";`,
  bom: `echo "\\xEF\\xBB\\xBF";`,
  'a page for an answer': `if (${isMedia}) add_filter('rest_pre_echo_response', function () { ${page(200, 'Please wait')} });`,
  'a page for what it has kept': `if (${isMedia}) add_filter('rest_pre_echo_response', function () { ${page(403, 'Blocked')} });`,
  renames: `
    add_filter('sanitize_file_name', fn ($name) => 'img-' . wp_rand() . '.' . pathinfo($name, PATHINFO_EXTENSION));
    add_filter('wp_insert_attachment_data', fn ($data) => ['post_title' => 'Image', 'post_name' => 'image-' . wp_rand()] + $data);`,
  'renames and forgets': `
    add_filter('sanitize_file_name', fn ($name) => 'img-' . wp_rand() . '.' . pathinfo($name, PATHINFO_EXTENSION));
    add_filter('wp_insert_attachment_data', fn ($data) => ['post_title' => 'Image', 'post_name' => 'image-' . wp_rand()] + $data);
    add_filter('add_post_metadata', fn ($null, $id, $key) => $key === '_wp_attachment_image_alt' ? false : $null, 10, 3);`,
  'takes 45 seconds': `if (${isMedia}) sleep(45);`,
  'answers after 61 seconds': `sleep(61);`,
  'plain permalinks': `add_filter('pre_option_permalink_structure', fn () => '');`,
  'strips the login': `unset($_SERVER['HTTP_AUTHORIZATION'], $_SERVER['PHP_AUTH_USER'], $_SERVER['PHP_AUTH_PW']);`,
  'no application passwords': `add_filter('wp_is_application_passwords_available', '__return_false');`,
  'a security page': page(403, '<h1>Your access to this site has been limited</h1>'),
  'a challenge': page(200, '<h1>One moment, please</h1><p>We check that you are no robot.'),
  'a login wall': `header('Location: /wp-login.php?redirect_to=x', true, 302); exit;`,
  'a password page': page(200, '<form><input type="password" name="p"></form>'),
  'a staging password': `header('WWW-Authenticate: Basic realm="Staging"'); ${page(401, 'Authorization Required')}`,
  'no right to upload': `add_filter('user_has_cap', fn ($caps) => ['upload_files' => false] + $caps);`,
  'a closed API': `add_filter('rest_authentication_errors', fn () => new WP_Error('rest_disabled', 'The REST API is disabled.', ['status' => 403]), 200);`,
  'a file type it does not take': `add_filter('upload_mimes', fn () => ['txt' => 'text/plain']);`,
  'too large for the gateway': `if (${isMedia}) { ${page(413, '<h1>413 Request Entity Too Large</h1>')} }`,
} satisfies Record<string, string>

export interface Media {
  id: number
  slug: string
  source_url: string
  mime_type: string
  alt_text: string
  title: { raw: string }
  caption: { raw: string }
  description: { raw: string }
  media_details: { sizes?: object; filesize?: number }
}

/** A real WordPress with a database of its own, on loopback and in a folder that goes when it stops. */
export async function startWordpress(publicUrl: string): Promise<Site> {
  await installPackages()
  const folder = await mkdtemp(join(tmpdir(), 'library-wordpress-'))
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGTERM')
      await Promise.race([once(child, 'exit'), pause(10_000)])
      child.kill('SIGKILL') // whatever of it is left
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const databasePort = await startMariadb(folder, children)
    const password = await installSite(folder, databasePort, publicUrl)
    const url = await servePhp(folder, children)
    const authorization = `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`
    return {
      url,
      username: 'editor',
      applicationPassword: password,
      async media(query = '') {
        const answer = await fetch(`${url}/wp-json/wp/v2/media?context=edit&per_page=100&${query}`, {
          headers: { authorization, 'x-behave': 'yes' },
        })
        if (answer.status !== 200)
          throw new Error(`WordPress answered ${answer.status}: ${await answer.text()}`)
        return (await answer.json()) as Media[]
      },
      misbehaves: (how) => writeFile(join(folder, 'site/odd.txt'), how),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function installPackages(): Promise<void> {
  const tools = [
    '/usr/bin/php',
    '/usr/sbin/mariadbd',
    '/usr/bin/mariadb-install-db',
    `${packaged}/wp-load.php`,
  ]
  if (tools.every((tool) => existsSync(tool))) return
  if (process.getuid?.() !== 0)
    throw new Error(`WordPress is not here. Run as root, or: apt-get install -y ${packages.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env, maxBuffer: 2 ** 26 })
}

async function startMariadb(folder: string, children: ChildProcess[]): Promise<number> {
  const data = join(folder, 'database')
  const port = await freePort()
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ])
  children.push(
    spawn(
      '/usr/sbin/mariadbd',
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'database.sock')}`,
        `--pid-file=${join(folder, 'database.pid')}`,
        ...user,
      ],
      { stdio: 'ignore' },
    ),
  )
  await listening(port)
  return port
}

async function installSite(folder: string, databasePort: number, publicUrl: string): Promise<string> {
  const site = join(folder, 'site')
  await run('cp', ['-rL', packaged, site])
  await mkdir(join(site, 'wp-content/uploads'), { recursive: true })
  await writeFile(
    join(site, 'wp-config.php'),
    `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', '127.0.0.1:${databasePort}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_ENVIRONMENT_TYPE', 'local'); define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_CONTENT_DIR', __DIR__ . '/wp-content'); define('AUTH_KEY', 'only for tests');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`,
  )
  await writeFile(
    join(site, 'router.php'),
    `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file(__DIR__ . $path)) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require __DIR__ . '/index.php';
`,
  )
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true })
  await writeFile(
    join(site, 'wp-content/mu-plugins/odd.php'),
    `<?php
$how = isset($_SERVER['HTTP_X_BEHAVE']) || PHP_SAPI === 'cli' ? '' : @file_get_contents(ABSPATH . 'odd.txt');
${Object.entries(misbehaviours)
  .map(([how, code]) => `if ($how === '${how}') { ${code} }`)
  .join('\n')}
`,
  )
  await writeFile(
    join(site, 'install.php'),
    `<?php
mysqli_query(mysqli_connect('127.0.0.1', 'root', '', '', ${databasePort}), 'create database wordpress');
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require __DIR__ . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
$made = wp_install('Harbour', 'editor', 'editor@example.com', false, '', wp_generate_password());
update_option('siteurl', '${publicUrl}'); update_option('home', '${publicUrl}');
update_option('permalink_structure', '/%postname%/');
[$password] = WP_Application_Passwords::create_new_application_password($made['user_id'], ['name' => 'library']);
echo 'PASSWORD=' . $password;
`,
  )
  const { stdout } = await run('php', ['install.php'], { cwd: site })
  const password = /PASSWORD=(\w+)/.exec(stdout)?.[1]
  if (!password) throw new Error(`WordPress was not installed: ${stdout}`)
  return password
}

async function servePhp(folder: string, children: ChildProcess[]): Promise<string> {
  const port = await freePort()
  const options = ['upload_max_filesize=64M', 'post_max_size=64M', 'memory_limit=512M'].flatMap((it) => [
    '-d',
    it,
  ])
  children.push(
    spawn('php', [...options, '-S', `127.0.0.1:${port}`, 'router.php'], {
      cwd: join(folder, 'site'),
      env: { PATH: process.env.PATH, PHP_CLI_SERVER_WORKERS: '4' },
      stdio: 'ignore',
      // Its workers are children of its own: they end together.
      detached: true,
    }),
  )
  const server = children.at(-1)!
  server.kill = (signal) => {
    try {
      return process.kill(-server.pid!, signal)
    } catch {
      return false
    }
  }
  await listening(port)
  return `http://127.0.0.1:${port}`
}

async function listening(port: number): Promise<void> {
  const until = Date.now() + 60_000
  for (;;) {
    const line = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(line, 'connect').then(() => true),
      once(line, 'error').then(() => false),
    ]).catch(() => false)
    line.destroy()
    if (open) return
    if (Date.now() > until) throw new Error(`Nothing listens on ${port}.`)
    await pause(200)
  }
}
