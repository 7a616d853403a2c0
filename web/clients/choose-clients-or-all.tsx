import { Checkbox } from '@mantine/core'
import { ChooseClients } from './choose-clients.tsx'

/** Every client, those to come included, or some of them. */
export function ChooseClientsOrAll(props: {
  allLabel: string
  all: boolean
  onAllChange(all: boolean): void
  label: string
  value: string[]
  onChange(clientIds: string[]): void
  error: string | false | undefined
}) {
  return (
    <>
      <Checkbox
        label={props.allLabel}
        checked={props.all}
        onChange={(event) => props.onAllChange(event.currentTarget.checked)}
      />
      {!props.all && (
        <ChooseClients
          label={props.label}
          value={props.value}
          onChange={props.onChange}
          error={props.error}
        />
      )}
    </>
  )
}
