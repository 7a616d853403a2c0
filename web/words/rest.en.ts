import en from './en.ts'
import { restOf } from './first.ts'

export default restOf(en)
