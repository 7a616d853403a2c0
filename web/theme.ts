import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef4ff',
  '#dbe7fd',
  '#b9cffa',
  '#8fb0f5',
  '#6b95f0',
  '#3f73e2',
  '#2159c7',
  '#1b4bab',
  '#173f90',
  '#133474',
]

const neutral: MantineColorsTuple = [
  '#e9ebef',
  '#c3c8d1',
  '#a3aab6',
  '#7d8592',
  '#4a515d',
  '#343a45',
  '#272c35',
  '#1c2027',
  '#15181e',
  '#0f1116',
]

// A dialog's `header` element would count as a second banner of the page.
const plainHeader = { attributes: { header: { role: 'presentation' } } }

export const themeIn = (words: { close: string }) =>
  createTheme({
    primaryColor: 'accent',
    // Mantine's own shades fall short of AA against white and on dark ground.
    primaryShade: { light: 6, dark: 6 },
    colors: { accent, dark: neutral },
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    headings: { fontWeight: '620' },
    defaultRadius: 8,
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
      Modal: {
        defaultProps: {
          ...plainHeader,
          radius: 14,
          padding: 24,
          centered: true,
          // Over the quick look, too.
          zIndex: 260,
          overlayProps: { backgroundOpacity: 0.45 },
          closeButtonProps: { 'aria-label': words.close },
        },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': words.close } } },
      Drawer: { defaultProps: { ...plainHeader, closeButtonProps: { 'aria-label': words.close } } },
      // In a portal a menu would stand outside every landmark.
      Menu: {
        defaultProps: {
          radius: 10,
          shadow: 'md',
          offset: 4,
          withinPortal: false,
          // No box that scrolls cuts it off.
          floatingStrategy: 'fixed',
          withInitialFocusPlaceholder: false,
        },
      },
      Tooltip: { defaultProps: { openDelay: 400, fz: 12 } },
    },
  })

/** The colours of the whole app, named by what they are for. `app.css` and every room use these. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--ground': '#f6f7f9',
    '--surface': '#ffffff',
    '--raised': '#ffffff',
    '--line': '#e3e6eb',
    '--line-strong': '#8a919e',
    '--text': '#171a20',
    '--dim': '#59616e',
    '--hover': '#eff1f5',
    '--chosen': '#e3edff',
    '--accent': '#2159c7',
    '--accent-ink': '#1b4bab',
    '--good': '#1a6b3c',
    '--good-ground': '#e4f5ea',
    '--warn': '#8a4b00',
    '--warn-ground': '#fdf0da',
    '--bad': '#b42318',
    '--bad-ground': '#fdeceb',
    '--blank': '#eceef2',
    '--mantine-color-text': '#171a20',
    '--mantine-color-dimmed': '#59616e',
    '--mantine-color-placeholder': '#666e7b',
    '--mantine-color-anchor': '#1b4bab',
    '--mantine-color-error': '#b42318',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#d5d9e0',
  },
  dark: {
    '--ground': '#0f1116',
    '--surface': '#15181e',
    '--raised': '#1c2027',
    '--line': '#272c35',
    '--line-strong': '#6d7684',
    '--text': '#e9ebef',
    '--dim': '#a3aab6',
    '--hover': '#20252d',
    '--chosen': '#1c2f57',
    '--accent': '#6b95f0',
    '--accent-ink': '#9dbbf7',
    '--good': '#7fd6a1',
    '--good-ground': '#12301f',
    '--warn': '#f3bf6b',
    '--warn-ground': '#382607',
    '--bad': '#ff9d94',
    '--bad-ground': '#421613',
    '--blank': '#20242c',
    '--mantine-color-text': '#e9ebef',
    '--mantine-color-dimmed': '#a3aab6',
    '--mantine-color-placeholder': '#949ca9',
    '--mantine-color-anchor': '#9dbbf7',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-body': '#15181e',
    '--mantine-color-default-border': '#343a45',
  },
})
