/** Does not compress: data in memory end with the page. */
export const constants = { ZSTD_c_compressionLevel: 0 };
export const zstdCompressSync = (bytes: Uint8Array): Uint8Array => bytes;
export const zstdDecompressSync = (bytes: Uint8Array): Uint8Array => bytes;
