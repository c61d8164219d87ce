/** Tenths of a degree Celsius between which medicine of the cold chain travels. */
export const COLD_MIN = 20;
export const COLD_MAX = 80;
/** Days for which medicine must still be good when it is sent. */
export const NEAR_EXPIRY_DAYS = 30;
