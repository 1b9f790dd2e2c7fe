// How a page presents its owner: the partner in a portal, Mindgate in the console.

export interface Look {
  name: string
  /** `#rrggbb` */
  accentColor: string
  /** Raster image of the partner's, served by us. */
  logo: { url: string; width: number; height: number } | undefined
  supportEmail: string | undefined
  /** http or https. */
  supportUrl: string | undefined
}
