import ipaddr from 'ipaddr.js'

/** An IPv6 network hands out whole /64s, so one caller may have all of it. */
export const networkOf = (address: string): string => prefixOf(address, 64)

/** What one customer of an IPv6 provider may have: 65,536 networks. Under IPv4, an address. */
export const siteOf = (address: string): string => prefixOf(address, 48)

/** What may be kept of an address, and shown to others: the network it is in. */
export const shortened = (address: string): string => {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv6') return prefixOf(address, 48)
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
}

function prefixOf(address: string, bits: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits}`)}/${bits}`
}
