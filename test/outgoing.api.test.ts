import { sendsWhatItSays } from './outgoing.ts'
import { outgoingSamples } from './outgoing-samples.ts'

// One file of each kind; `npm run test:hard` sends all of them, and delivers each.

const kinds = [
  ...['a.jpg', 'p3-icc.jpg', 'animated.webp', 'grid-irot-exif6.heic'],
  ...['gps.mp4', 'hevc.mp4', 'impostor-quicktime.mp4'],
  ...['nearly-5-MB.jpg', 'nearly-1-MB.png', 'ten-kB-with-words.jpg', 'flat.png', 'see-through.png'],
  ...['contact.webp', 'turned-contact.jpg', 'tall.png', 'tiny.jpg', 'moving.png'],
  ...['late-mark.png', 'hdr.png', 'track-of-notes.mp4', 'track-of-notes-in-pieces.mp4'],
]
const delivered = ['a.jpg', 'gps.mp4', 'nearly-5-MB.jpg', 'tiny.jpg', 'track-of-notes-in-pieces.mp4']

const samples = await outgoingSamples(kinds)
if (samples.length !== kinds.length) throw new Error('A kind of file is missing.')

sendsWhatItSays(samples, ({ name }) => delivered.includes(name))
