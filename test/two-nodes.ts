import type { Environment } from '../server/config.ts'
import { balancer } from './balancer.ts'
import { newHome, startServer } from './world.ts'

/** Two nodes on one database and store, behind a balancer that sends each request to the other one. */
export async function twoNodes(settings: Environment = {}) {
  const home = await newHome()
  const environment = { ...home.environment, ...settings }
  const nodes = [await startServer(environment), await startServer(environment)] as const
  const inFront = await balancer(nodes.map(({ url }) => url))
  return {
    environment,
    nodes,
    url: inFront.url,
    served: inFront.served,
    async end() {
      await inFront.stop()
      for (const node of nodes) await node.stop()
      await home.remove()
    },
  }
}
