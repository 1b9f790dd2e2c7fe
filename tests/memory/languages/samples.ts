import { arabic } from './arabic.ts'
import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { japanese } from './japanese.ts'
import { portuguese } from './portuguese.ts'
import { russian } from './russian.ts'
import { spanish } from './spanish.ts'

export const european = [english, spanish, french, german, portuguese, italian, dutch, russian]
export const others = [arabic, chinese, japanese]
export const samples = [...european, ...others]
