import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../../', import.meta.url))
/** Kept between runs; `rm -r dist/image` begins anew. */
const folder = join(root, 'dist/image')
const store = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']

/** With the settings of containers.conf. */
export const podman = ['podman', ...store]

export async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: root, maxBuffer: 1e8 })
  return stdout.trim()
}

const tag = 'localhost/client-asset-library'
const buildah = (...args: string[]) => run('buildah', ...store, ...args)

export async function builtImage(): Promise<string> {
  await nothingIsMissing()
  await mkdir(folder, { recursive: true })
  await run('npm', 'run', 'release')
  const bases = await madeBases()
  await buildah(
    'bud',
    ...['--isolation', 'chroot', '--format', 'docker', '--layers=false'],
    ...bases.flatMap((base) => ['--build-arg', base]),
    ...['--file', 'deploy/Containerfile', '--tag', tag, 'dist/release'],
  )
  return tag
}

async function nothingIsMissing(): Promise<void> {
  const packages = ['buildah', 'podman', 'runc', 'mmdebstrap', 'docker-compose', 'systemd']
  packages.push('netavark', 'aardvark-dns', 'iptables', 'catatonit')
  const found = await Promise.all(
    packages.map((name) => run('dpkg-query', '--status', name).then(Boolean, () => false)),
  )
  const missing = packages.filter((_, at) => !found[at])
  if (missing.length > 0)
    throw new Error(
      `The image cannot be tried here: apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  if (process.getuid!() !== 0) throw new Error('The image cannot be tried here: be root')
}

/** Instead of images from a registry: Debian as its own packages make it, the same with Node and npm, and with PostgreSQL. */
async function madeBases(): Promise<string[]> {
  const tar = join(folder, 'debian.tar')
  if (!existsSync(tar)) {
    // Under its name only once it is whole.
    const part = join(folder, 'debian.part.tar')
    await run('mmdebstrap', '--variant=minbase', ...withoutManuals, 'bookworm', part)
    await rename(part, tar)
  }
  await committed('localhost/debian', 'scratch', (container) => buildah('add', container, tar, '/'))
  await committed('localhost/debian-node', 'localhost/debian', async (container) => {
    const npm = dirname(dirname(await realpath(await run('which', 'npm'))))
    await buildah('copy', container, process.execPath, '/usr/local/bin/node')
    await buildah('copy', container, licenceOfNode(), '/usr/local/LICENSE')
    await buildah('copy', container, npm, '/usr/local/lib/node_modules/npm')
    const link = ['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm']
    await buildah('run', '--isolation', 'chroot', container, '--', ...link)
    // As this machine reaches the registry.
    const { NODE_EXTRA_CA_CERTS } = process.env
    if (!NODE_EXTRA_CA_CERTS) return
    await buildah('copy', container, NODE_EXTRA_CA_CERTS, '/certificates.crt')
    await buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/certificates.crt', container)
  })
  await committed('localhost/postgres', 'localhost/debian', (container) => {
    const install = 'apt-get update && apt-get install -y --no-install-recommends postgresql'
    return buildah('run', '--isolation', 'chroot', container, '--', 'sh', '-c', install)
  })
  return ['BASE=localhost/debian', 'NODE_BASE=localhost/debian-node']
}

/** Beside its own folder, or where Debian's packages have it. */
function licenceOfNode(): string {
  const places = ['LICENSE', 'share/doc/nodejs/LICENSE', 'share/doc/nodejs/copyright']
  const found = places.map((place) => join(dirname(dirname(process.execPath)), place)).find(existsSync)
  if (!found) throw new Error(`There is no licence with ${process.execPath}`)
  return found
}

const withoutManuals = [
  'path-exclude=/usr/share/doc/*',
  'path-include=/usr/share/doc/*/copyright',
  'path-exclude=/usr/share/man/*',
  'path-exclude=/usr/share/locale/*',
].map((option) => `--dpkgopt=${option}`)

async function committed(name: string, from: string, fill: (container: string) => Promise<unknown>) {
  const container = await buildah('from', '--pull-never', from)
  await fill(container)
  await buildah('commit', '--format', 'docker', '--rm', container, name)
}
