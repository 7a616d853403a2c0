import { ServerResponse } from 'node:http'
import { type ConnectionKind, connectionKinds } from '../contract/connection-kinds.ts'
import type { Surface } from '../contract/words.ts'
import { json, type Peer, peer, wordpressPeer } from './delivery-peers.ts'
import { facebookPageOf, facebookPagePeer } from './facebook-peer.ts'
import { googlePlace, googlePostsPeer } from './google-posts-peer.ts'
import { instagramAccount, instagramPeer } from './instagram-peer.ts'
import { linkedinPage, linkedinPostsPeer } from './linkedin-posts-peer.ts'
import type { PostPeer } from './post-peer.ts'

/** The request at which the other system falls silent, once, and whether it has done by then what it was asked for. */
export interface Silence {
  at: number
  when: 'before' | 'after'
}

/** Another system that does what it is asked for, as far as a delivery asks. */
export interface TargetPeer {
  peer: Peer
  connection: { kind: ConnectionKind; settings: object; secrets: object }
  surface: Surface
  /** What a post says. */
  text?: string
  /** How many things of ours anybody can find there. */
  items(): number
}

const token = { accessToken: 'canary-access-token' }

/** One of each kind: a kind without one does not compile. */
export const targetPeers: Record<ConnectionKind, (silence?: Silence) => Promise<TargetPeer>> = {
  async wordpress(silence) {
    const applicationPassword = 'canary-application-password'
    const site = await wordpressPeer(applicationPassword, silentAt(silence))
    return {
      peer: site,
      connection: {
        kind: 'wordpress',
        settings: { siteUrl: site.url },
        secrets: { username: 'editor', applicationPassword },
      },
      surface: 'website',
      items: () => site.items.length,
    }
  },

  async webhook(silence) {
    let items = 0
    const receiver = await peer((_, response) => json(response, { id: ++items }), silentAt(silence))
    const signingSecret = `whsec_${Buffer.from('canary signing secret, 32 bytes.').toString('base64')}`
    return {
      peer: receiver,
      connection: { kind: 'webhook', settings: { url: receiver.url }, secrets: { signingSecret } },
      surface: 'website',
      items: () => items,
    }
  },

  async gbp(silence) {
    const gallery: object[] = []
    const google = await peer(({ method, path, body }, response) => {
      if (path.endsWith(':startUpload')) return json(response, { resourceName: `upload-${Date.now()}` })
      if (path.startsWith('/upload/')) return json(response, {})
      if (method === 'GET') return json(response, { mediaItems: gallery })
      const name = `accounts/1/locations/2/media/${gallery.length}`
      const { description } = JSON.parse(body.toString())
      gallery.push({ name, description, createTime: new Date().toISOString() })
      return json(response, gallery.at(-1))
    }, silentAt(silence))
    return {
      peer: google,
      connection: {
        kind: 'gbp',
        settings: { accountId: '1', locationId: '2', baseUrl: google.url },
        secrets: token,
      },
      surface: 'gbp',
      items: () => gallery.length,
    }
  },

  async linkedin(silence) {
    const filled = new Map<string, boolean>()
    const it = await peer(({ method, path }, response) => {
      const image = path.split('/').at(-1)!
      if (path.endsWith('initializeUpload')) {
        const name = `${filled.size + 1}`
        filled.set(name, false)
        const value = { image: `urn:li:image:${name}`, uploadUrl: `${it.url}/put/${name}` }
        return json(response, { value })
      }
      if (method === 'GET') {
        const isThere = filled.get(decodeURIComponent(image).split(':').at(-1)!)
        return json(response, { status: isThere ? 'AVAILABLE' : 'WAITING_UPLOAD' })
      }
      filled.set(image, true)
      return response.writeHead(201).end()
    }, silentAt(silence))
    return {
      peer: it,
      connection: {
        kind: 'linkedin',
        settings: { ownerUrn: 'urn:li:organization:5', baseUrl: it.url },
        secrets: token,
      },
      surface: 'social',
      items: () => [...filled.values()].filter(Boolean).length,
    }
  },

  'linkedin-posts': async (silence) =>
    publishing('linkedin-posts', linkedinPage, 'linkedin-token', await linkedinPostsPeer(silentAt(silence))),
  instagram: async (silence) =>
    publishing('instagram', instagramAccount, 'graph-token', await instagramPeer(silentAt(silence))),
  'facebook-page': async (silence) =>
    publishing('facebook-page', facebookPageOf, 'graph-token', await facebookPagePeer(silentAt(silence))),
  'gbp-posts': async (silence) =>
    publishing('gbp-posts', googlePlace, 'google-token', await googlePostsPeer(silentAt(silence))),
}

const publishing = (
  kind: ConnectionKind,
  settings: object,
  accessToken: string,
  vendor: PostPeer,
): TargetPeer => ({
  peer: vendor.peer,
  connection: { kind, settings: { ...settings, baseUrl: vendor.url }, secrets: { accessToken } },
  surface: connectionKinds[kind].surfaces[0],
  text: 'Once',
  items: () => vendor.posts.length,
})

/** Where an answer goes that nobody is to get; undefined for one that is never even begun. */
const silentAt =
  (silence: Silence | undefined) =>
  (count: number, response: ServerResponse): ServerResponse | undefined => {
    if (count !== silence?.at) return response
    return silence.when === 'before' ? undefined : new ServerResponse(response.req)
  }
