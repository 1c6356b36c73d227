/** The used parts of ncc (its readme, "Programmatically From Node.js"). */
declare module '@vercel/ncc' {
  interface Options {
    cache: boolean
    esm: boolean
    externals: Record<string, string>
    filename: string
    license: string
    quiet: boolean
  }
  export default function ncc(
    entry: string,
    options: Options,
  ): Promise<{ code: string; assets: Record<string, { source: string | Buffer }> }>
}
