import { sendsWhatItSays } from '../outgoing.ts'
import { outgoingSamples } from '../outgoing-samples.ts'

sendsWhatItSays(await outgoingSamples(), () => true)
