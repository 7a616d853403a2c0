import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/** What a request is called in the log, in its answer and at whoever helps: the balancer's name for it, or ours. */
export function requestIds(trustProxy: Config['trustProxy']) {
  const isBalancer = trustedBy(trustProxy)
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = headers['x-request-id']
    const sane = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given)
    return sane && isBalancer(socket.remoteAddress ?? '') ? given : randomUUID()
  }
}

function trustedBy(trustProxy: Config['trustProxy']): (address: string) => boolean {
  if (!Array.isArray(trustProxy)) return () => trustProxy !== false
  const balancers = new BlockList()
  for (const subnet of trustProxy) {
    const [address = '', bits] = subnet.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    balancers.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => balancers.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
