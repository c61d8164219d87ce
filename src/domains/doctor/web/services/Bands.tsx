import { yuan } from '#kernel/contract/money.ts';
import { titles } from '../../contract/dictionaries.ts';
import type { Band, PriceBands } from '../../contract/rules/price.ts';

export const bandText = (band: Band | null | undefined): string => (band ? `${yuan(band.minFen)}–${yuan(band.maxFen)}` : '—');

/** Prices of an item by title. */
export function Bands({ bands }: { bands: PriceBands }) {
  return titles.codes.map((title) => {
    const band = bands[title];
    return (
      band && (
        <span key={title} className="ds-band">
          <span className="kq-muted">{titles.label(title)}</span> {yuan(band.minFen)}–<b>{yuan(band.defaultFen)}</b>–{yuan(band.maxFen)}
        </span>
      )
    );
  });
}
