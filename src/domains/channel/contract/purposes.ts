/** Files of this domain by their use; the right to upload them is declared by the server. */
export const CONTRACT_PURPOSE = 'CHANNEL_CONTRACT';
/** Logos of codes, pictures and documents of welcomes. */
export const MATERIAL_PURPOSE = 'CHANNEL_MATERIAL';
