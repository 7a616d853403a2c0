import { spawn } from 'node:child_process'

/**
 * What a decoding process is kept from, beside its own memory and time caps.
 * Each layer is used where the machine offers it; `found` tells which ones hold.
 */
export interface Confinement {
  /** Program and arguments that run `command` confined. The process id stays that of the command. */
  around(command: string[]): [program: string, args: string[]]
  found: { memory: boolean; network: boolean; diesWithParent: boolean }
}

/** Said where a decoder that is taken over could reach the network. */
export const networkIsOpen =
  'Decoders are not kept from the network on this machine. Install util-linux (unshare), and run as root or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; in a container, its seccomp profile).'

/** The same walls, and behind everybody else in the queue for the processor. */
export async function lowPriority(walls: Confinement): Promise<Confinement> {
  const nice = await firstThatRuns([['nice', '-n', '5']])
  return { ...walls, around: (command) => walls.around([...(nice ?? []), ...command]) }
}

export async function findConfinement(memoryMb: number): Promise<Confinement> {
  const [memory, network, diesWithParent] = await Promise.all([
    firstThatRuns([withLimits(memoryMb)]),
    firstThatRuns([
      ['unshare', '--net'],
      ['unshare', '--map-current-user', '--net'],
    ]),
    firstThatRuns([['setpriv', '--pdeathsig', 'KILL']]),
  ])
  const layers = [...(network ?? []), ...(diesWithParent ?? []), ...(memory ?? [])]
  return {
    around(command) {
      const [program, ...args] = [...layers, ...command]
      return [program!, args]
    },
    found: { memory: !!memory, network: !!network, diesWithParent: !!diesWithParent },
  }
}

/**
 * Data segment, core dumps, written files, open files. Not address space: V8 reserves gigabytes around each
 * WebAssembly memory without ever touching them, and the data limit counts only what can be written.
 */
function withLimits(memoryMb: number): string[] {
  const limits = `ulimit -d ${memoryMb * 1024} && ulimit -c 0 && ulimit -f 0 && ulimit -n 256`
  return ['/bin/sh', '-c', `${limits} && exec "$0" "$@"`]
}

async function firstThatRuns(layers: string[][]): Promise<string[] | undefined> {
  for (const layer of layers) if (await runs([...layer, 'true'])) return layer
  return undefined
}

function runs([program, ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program!, args, { stdio: 'ignore', timeout: 5000 })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}
