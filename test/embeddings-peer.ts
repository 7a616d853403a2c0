import type { ServerResponse } from 'node:http'
import { folded } from '../contract/folding.ts'
import { json, type Peer, peer } from './delivery-peers.ts'

type Answer = (texts: string[], response: ServerResponse) => unknown

export interface EmbeddingsPeer extends Peer {
  environment: Record<'AI_BASE_URL' | 'AI_EMBEDDINGS_MODEL', string>
  /** All texts that were sent, but those that are nobody's. */
  texts(): string[]
  /** How it answers from now on; nothing: as it should. */
  answers(how?: Answer): void
}

/** Words that mean the same, in two languages. */
const concepts = `
wedding hochzeit bride braut brautpaar trauung marriage vermahlung honeymoon couple
breakfast fruhstuck croissants musli morgens brunch
coffee kaffee espresso barista cappuccino latte
cake kuchen torte apfelkuchen cheesecake pastry geback dessert
wine wein rotwein weinkeller weinprobe alcohol riesling
pool schwimmbad becken swimming schwimmen baden
spa wellness wellnessbereich massage ruheraum erholung relaxation
garden garten roses flowers blumen krautergarten
christmas weihnachten weihnachtsmarkt weihnachtsfeier adventskranz santa xmas
carpenter tischler schreiner werkbank joiner
dentist zahnarzt zahnarztin teeth zahne
xray rontgen rontgenbild radiograph
van firmenwagen transporter lieferwagen fahrzeug car auto
apprentice lehrling azubi auszubildende trainee
conference tagung tagungsraum konferenz seminar meeting besprechung
reception rezeption rezeptionistin empfang
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const axes = concepts.length + 24

/** What a text means: a direction for each concept, and for all other words a few that have nothing to do with them. */
export function conceptVector(text: string): number[] {
  const vector = new Array<number>(axes).fill(0.1) // nothing is quite unlike anything else
  for (const word of folded(text).match(/\p{L}{3,}/gu) ?? []) {
    const concept = concepts.findIndex((words) => words.includes(word))
    if (concept >= 0) vector[concept]! += 1
    else vector[concepts.length + (hash(word) % 24)]! += 0.2
  }
  return vector
}

const hash = (word: string) =>
  [...word].reduce((all, letter) => (all * 31 + letter.codePointAt(0)!) % 9973, 7)

const properly: Answer = (texts, response) =>
  json(response, { data: texts.map((text, index) => ({ index, embedding: conceptVector(text) })) })

/** A server of embeddings as OpenAI, Ollama and vLLM have it. */
export async function embeddingsPeer(): Promise<EmbeddingsPeer> {
  let answer = properly
  const textsIn = (body: Buffer) => (JSON.parse(body.toString()) as { input: string[] }).input
  const server = await peer(({ path, body }, response) =>
    path === '/v1/embeddings' ? answer(textsIn(body), response) : json(response, { data: [] }),
  )
  return {
    ...server,
    environment: { AI_BASE_URL: `${server.url}/v1`, AI_EMBEDDINGS_MODEL: 'concepts' },
    texts: () =>
      server.requests
        .filter(({ path }) => path === '/v1/embeddings')
        .map(({ body }) => textsIn(body))
        .filter(([first]) => first !== 'A red bicycle against a wall')
        .flat(),
    answers(how = properly) {
      answer = how
    },
  }
}
