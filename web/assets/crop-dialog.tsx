import { Button } from '@mantine/core'
import { Crosshair, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset, Fit } from '../../contract/assets.ts'
import { type Ratio, ratios } from '../../contract/ratios.ts'
import { Modal } from '../ui/modal.tsx'
import { useRatioText } from '../words/ratio.ts'
import { useAsset, useFits } from './assets.ts'
import { CropStage } from './crop-stage.tsx'
import { Cropped } from './cropped.tsx'
import { useFitWords, useTargetName } from './fit-words.ts'
import { areaAt, middleOf, pixelsOf, scaleOf, smallestScale, useFraming } from './framing.ts'
import './crop-dialog.css'

type Framing = ReturnType<typeof useFraming>

/** The same for an asset known by its id. */
export function CropOneDialog({ assetId, onClose }: { assetId: string; onClose(): void }) {
  const { asset } = useAsset(assetId)
  return asset && <CropDialog asset={asset} onClose={onClose} />
}

/** What is kept of a picture where it is cropped: around its focal point, or as a person wants it in one ratio. */
export function CropDialog({
  asset,
  at = null,
  onClose,
}: {
  asset: Asset
  /** The ratio to begin with; without one, the focal point. */
  at?: Ratio | null
  onClose(): void
}) {
  const t = useTranslations('crop')
  const app = useTranslations('app')
  const ratioText = useRatioText()
  const framing = useFraming(asset)
  const [ratio, setRatio] = useState(at)
  const area = ratio && framing.areaIn(ratio)
  const hint = ratio ? t('frameHint', { ratio: ratioText(ratio) }) : t('pointHint')
  return (
    <Modal opened onClose={onClose} title={t('title', { title: asset.title })} size={880} className="crop">
      <div className="crop-work">
        <CropStage
          asset={asset}
          ratio={ratio}
          focalPoint={framing.focalPoint}
          area={area}
          onPoint={framing.setFocalPoint}
          onArea={(next) => ratio && framing.setCrop(ratio, next)}
          onRest={framing.settle}
        />
        <div className="crop-side">
          <p className="crop-hint">{hint}</p>
          {ratio ? (
            <FrameFields asset={asset} ratio={ratio} framing={framing} />
          ) : (
            <PointFields framing={framing} />
          )}
        </div>
      </div>
      <Choices asset={asset} framing={framing} chosen={ratio} onChoose={setRatio} />
      <TargetViews asset={asset} />
      <div className="dialog-acts">
        <Button onClick={onClose}>{app('close')}</Button>
      </div>
    </Modal>
  )
}

function PointFields({ framing }: { framing: Framing }) {
  const t = useTranslations('crop')
  const { focalPoint, isGuess, setFocalPoint } = framing
  return (
    <>
      <Slider
        label={t('across')}
        value={focalPoint.x}
        onChange={(x) => setFocalPoint({ ...focalPoint, x })}
      />
      <Slider label={t('down')} value={focalPoint.y} onChange={(y) => setFocalPoint({ ...focalPoint, y })} />
      {isGuess ? (
        <p className="crop-hint">{t('guessed')}</p>
      ) : (
        <Button variant="default" leftSection={<RotateCcw size={16} />} onClick={() => setFocalPoint(null)}>
          {t('guessAgain')}
        </Button>
      )}
    </>
  )
}

function FrameFields({ asset, ratio, framing }: { asset: Asset; ratio: Ratio; framing: Framing }) {
  const t = useTranslations('crop')
  const area = framing.areaIn(ratio)
  const scale = scaleOf(asset, ratio, area)
  const middle = middleOf(area)
  const { width, height } = pixelsOf(asset, area)
  /** From one edge to the other, as far as the frame can go. */
  const along = (start: number, side: number) => (side < 1 ? start / (1 - side) : 0)
  const to = (share: number, side: number) => share * (1 - side) + side / 2
  return (
    <>
      <Slider
        label={t('across')}
        value={along(area.x, area.width)}
        isFixed={area.width >= 1}
        onChange={(x) =>
          framing.setCrop(ratio, areaAt(asset, ratio, { ...middle, x: to(x, area.width) }, scale))
        }
      />
      <Slider
        label={t('down')}
        value={along(area.y, area.height)}
        isFixed={area.height >= 1}
        onChange={(y) =>
          framing.setCrop(ratio, areaAt(asset, ratio, { ...middle, y: to(y, area.height) }, scale))
        }
      />
      <Slider
        label={t('size')}
        value={scale}
        min={smallestScale}
        onChange={(next) => framing.setCrop(ratio, areaAt(asset, ratio, middle, next))}
      />
      <p className="crop-hint">{t('pixels', { width, height })}</p>
      {framing.crops[ratio] && (
        <Button
          variant="default"
          leftSection={<Crosshair size={16} />}
          onClick={() => framing.dropCrop(ratio)}
        >
          {t('followPoint')}
        </Button>
      )}
    </>
  )
}

function Slider({
  label,
  value,
  min = 0,
  isFixed = false,
  onChange,
}: {
  label: string
  value: number
  min?: number
  isFixed?: boolean
  onChange(value: number): void
}) {
  const id = useId()
  return (
    <div className="crop-slider">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={min * 100}
        max={100}
        step={1}
        disabled={isFixed}
        value={Math.round(value * 100)}
        onChange={(event) => onChange(Number(event.currentTarget.value) / 100)}
        onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
      />
      <output htmlFor={id}>{Math.round(value * 100)} %</output>
    </div>
  )
}

/** The focal point, and every ratio with what is kept in it. */
function Choices({
  asset,
  framing,
  chosen,
  onChoose,
}: {
  asset: Asset
  framing: Framing
  chosen: Ratio | null
  onChoose(ratio: Ratio | null): void
}) {
  const t = useTranslations('crop')
  const ratioText = useRatioText()
  const name = useId()
  const choice = (ratio: Ratio | null) => (
    <label key={ratio} className="crop-choice" data-chosen={chosen === ratio}>
      <input type="radio" name={name} checked={chosen === ratio} onChange={() => onChoose(ratio)} />
      {ratio ? (
        <Cropped asset={asset} area={framing.areaIn(ratio)} />
      ) : (
        <span className="crop-choice-point">
          <Crosshair size={22} aria-hidden />
        </span>
      )}
      <span>
        {ratio ? ratioText(ratio) : t('point')}
        {ratio && framing.crops[ratio] && <small> · {t('set')}</small>}
      </span>
    </label>
  )
  return (
    <fieldset className="crop-choices">
      <legend>{t('choose')}</legend>
      <div>
        {choice(null)}
        {ratios.map(choice)}
      </div>
    </fieldset>
  )
}

/** What each target system will be sent, side by side. */
function TargetViews({ asset }: { asset: Asset }) {
  const t = useTranslations('crop')
  const fits = useFits(asset.assetId)
  return (
    <section className="crop-targets" aria-label={t('targets')}>
      <h3>{t('targets')}</h3>
      <ul>
        {fits?.map((fit) => (
          <TargetView key={fit.target} asset={asset} fit={fit} />
        ))}
      </ul>
    </section>
  )
}

function TargetView({ asset, fit }: { asset: Asset; fit: Fit }) {
  const t = useTranslations('crop')
  const inWords = useFitWords()
  const nameOf = useTargetName()
  const isCropped = fit.crop && (fit.crop.width < 1 || fit.crop.height < 1)
  return (
    <li>
      {fit.crop ? (
        <Cropped asset={asset} area={fit.crop} />
      ) : (
        <span className="crop-refused">{inWords(fit)}</span>
      )}
      <strong>{nameOf(fit)}</strong>
      {fit.crop && <small>{isCropped ? t('cropped') : t('whole')}</small>}
    </li>
  )
}
