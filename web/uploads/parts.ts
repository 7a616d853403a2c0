/** A file as its parts: numbered from one, all of one size but the last. */
interface Parted {
  sizeBytes: number
  partSizeBytes: number
}

export const partNumbers = ({ sizeBytes, partSizeBytes }: Parted): number[] =>
  Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, (_, index) => index + 1)

export const partRange = (
  { sizeBytes, partSizeBytes }: Parted,
  partNumber: number,
): [start: number, end: number] => [
  (partNumber - 1) * partSizeBytes,
  Math.min(partNumber * partSizeBytes, sizeBytes),
]

export const bytesOfParts = (file: Parted, numbers: number[]): number =>
  numbers.reduce((sum, partNumber) => {
    const [start, end] = partRange(file, partNumber)
    return sum + end - start
  }, 0)
