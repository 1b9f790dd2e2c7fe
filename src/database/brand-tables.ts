// Row types of what a partner's portal looks like, beside the brand in the partner's own row.

/** A partner's logo, re-encoded by us. */
export interface BrandLogoTable {
  partnerId: string
  /** SHA-256 of the image, shortened: the address of these very bytes. */
  hash: string
  width: number
  height: number
  /** WebP in base64: the one form of bytes that both databases keep alike. */
  image: string
  createdAt: string
}

export interface BrandTables {
  brandLogo: BrandLogoTable
}
