import type { Surface } from '../contract/words.ts'

export interface DemoFile {
  file: string
  mimeType: string
  folder: string
  title: string
  altText: string
  description?: string
  tags: string[]
  allowedSurfaces: Surface[]
}

export const demoClient = 'Harbour Café'

/** Folders, parents before children. */
export const demoFolders = [
  'Brand',
  'Campaigns',
  'Campaigns/Summer',
  'Campaigns/Winter',
  'Social',
  'Social/Posted',
]

export const demoFiles: DemoFile[] = [
  {
    file: 'logo.webp',
    mimeType: 'image/webp',
    folder: 'Brand',
    title: 'Logo',
    altText: 'Harbour Café: a sailing boat on two waves',
    tags: ['logo'],
    allowedSurfaces: [],
  },
  {
    file: 'opening-hours.png',
    mimeType: 'image/png',
    folder: 'Brand',
    title: 'Opening hours',
    altText: 'A clock that shows four',
    tags: ['sign'],
    allowedSurfaces: ['website', 'gbp'],
  },
  {
    file: 'harbour-at-dawn.jpg',
    mimeType: 'image/jpeg',
    folder: 'Campaigns/Summer',
    title: 'Harbour at dawn',
    altText: 'Two sailing boats in the harbour at sunrise',
    description: 'Opening picture of the summer campaign.',
    tags: ['summer', 'harbour'],
    allowedSurfaces: [],
  },
  {
    file: 'terrace.jpg',
    mimeType: 'image/jpeg',
    folder: 'Campaigns/Summer',
    title: 'Terrace',
    altText: '',
    tags: ['summer', 'terrace'],
    allowedSurfaces: ['website', 'social'],
  },
  {
    file: 'crossing-the-harbour.mp4',
    mimeType: 'video/mp4',
    folder: 'Campaigns/Summer',
    title: 'Crossing the harbour',
    altText: 'A sailing boat crosses the harbour at sunrise',
    tags: ['summer', 'video'],
    allowedSurfaces: ['social'],
  },
  {
    file: 'winter-window.jpg',
    mimeType: 'image/jpeg',
    folder: 'Campaigns/Winter',
    title: 'Winter window',
    altText: 'Snow outside the window of the café',
    tags: ['winter'],
    allowedSurfaces: [],
  },
  {
    file: 'lanterns.jpg',
    mimeType: 'image/jpeg',
    folder: 'Campaigns/Winter',
    title: 'Lanterns',
    altText: 'Four lanterns over the water',
    tags: ['winter', 'evening'],
    allowedSurfaces: ['social'],
  },
  {
    file: 'harbour-at-night.jpg',
    mimeType: 'image/jpeg',
    folder: 'Social',
    title: 'Harbour at night',
    altText: '',
    tags: ['evening', 'harbour'],
    allowedSurfaces: ['social'],
  },
  {
    file: 'two-espressos.jpg',
    mimeType: 'image/jpeg',
    folder: 'Social/Posted',
    title: 'Two espressos',
    altText: 'Two espressos on a green table, from above',
    tags: ['coffee'],
    allowedSurfaces: ['social'],
  },
  {
    file: 'our-street.jpg',
    mimeType: 'image/jpeg',
    folder: '',
    title: 'Our street',
    altText: 'Four coloured houses by the harbour',
    tags: ['street'],
    allowedSurfaces: ['gbp', 'website'],
  },
  {
    file: 'fresh-bread.jpg',
    mimeType: 'image/jpeg',
    folder: '',
    title: 'Fresh bread',
    altText: 'Two loaves of bread on a wooden board',
    tags: ['bread'],
    allowedSurfaces: [],
  },
  {
    file: 'morning-coffee.jpg',
    mimeType: 'image/jpeg',
    folder: '',
    title: 'Morning coffee',
    altText: '',
    tags: ['coffee'],
    allowedSurfaces: [],
  },
]
