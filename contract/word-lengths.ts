/** Written by one request: words are made ready to be found when they are written, and others wait for that. */
export const mostCharacters = 50_000

interface Written {
  title?: string
  altText?: string
  description?: string
  tags?: string[]
}

export const charactersIn = ({ title = '', altText = '', description = '', tags = [] }: Written): number =>
  [title, altText, description, ...tags].reduce((sum, text) => sum + text.length, 0)
