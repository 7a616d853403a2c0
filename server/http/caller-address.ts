import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Who calls, as far as the network tells: what the balancer says, without the port that some add, or else the
 * peer. Whatever counts or logs addresses asks here.
 */
export const callerAddress = ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  bareAddress(ip) ?? socket.remoteAddress ?? ''

function bareAddress(given = ''): string | undefined {
  if (isIPv4(given)) return given
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*)$/.exec(given) ?? []
  const address = (inBrackets ?? withPort ?? given).split('%')[0]!
  return isIP(address) && (inBrackets === undefined || isIPv6(address)) ? address : undefined
}
