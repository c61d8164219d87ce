/** Purposes of this domain's uploads. */
export const PHARMA_PAPER = 'PHARMA_PAPER';
export const MEDICINE_FILE = 'MEDICINE_FILE';
