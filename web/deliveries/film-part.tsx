import { Group, Text, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { Fit } from '../../contract/assets.ts'
import type { FilmRange } from '../../contract/film-range.ts'

/** How much of a film a target takes, in seconds. */
export interface PartLimits {
  length: number
  least: number
  most: number
}

/** Where a target would take a film if it were shorter, and nothing else is in the way: how short. */
export function partLimits(fit: Fit | undefined): PartLimits | undefined {
  const [why, ...more] = fit?.why ?? []
  if (why?.code !== 'range-needed' || more.length > 0) return undefined
  const { value, least, limit } = why.values
  return { length: Number(value), least: Number(least), most: Number(limit) }
}

/** As a person writes it: minutes and seconds. */
export interface WrittenPart {
  from: string
  to: string
}

export const firstPart = ({ most }: PartLimits): WrittenPart => ({ from: clock(0), to: clock(most) })

/** Undefined while it is none that the target would take. */
export function partOf(
  { length, least, most }: PartLimits,
  { from, to }: WrittenPart,
): FilmRange | undefined {
  const [startSeconds, endSeconds] = [secondsIn(from), secondsIn(to)]
  const seconds = endSeconds - startSeconds
  const isGood = seconds >= Math.max(least, 0.1) && seconds <= most && endSeconds <= length
  return isGood ? { startSeconds, endSeconds } : undefined
}

/** Which part of a film is sent. */
export function FilmPart({
  limits,
  value,
  onChange,
}: {
  limits: PartLimits
  value: WrittenPart
  onChange(part: WrittenPart): void
}) {
  const t = useTranslations('deliveries')
  const part = partOf(limits, value)
  const within = { length: clock(limits.length), least: limits.least, most: limits.most }
  return (
    <fieldset className="film-part">
      <legend>{t('part')}</legend>
      <Group gap={12} grow>
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            label={t(end === 'from' ? 'partFrom' : 'partTo')}
            value={value[end]}
            error={!part}
            onChange={(event) => onChange({ ...value, [end]: event.currentTarget.value })}
          />
        ))}
      </Group>
      <Text size="sm" c="dimmed" mt={4} role="status">
        {part ? t('partSeconds', { seconds: part.endSeconds - part.startSeconds }) : t('partWithin', within)}
      </Text>
    </fieldset>
  )
}

const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** Not a number where it is no time. */
function secondsIn(text: string): number {
  const [, minutes = '0', seconds] = /^\s*(?:(\d{1,4}):)?(\d{1,4}(?:[.,]\d{1,3})?)\s*$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(seconds?.replace(',', '.'))
}
