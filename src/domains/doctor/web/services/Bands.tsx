import { yuan } from '#kernel/contract/money.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { titles } from '../../contract/dictionaries.ts';
import type { Band, PriceBands } from '../../contract/rules/price.ts';

export const bandText = (band: Band | null | undefined): string =>
  band ? `${yuan(band.minFen, true)}–${yuan(band.maxFen, true)}` : NOTHING;

/** Prices of an item by title. */
export function Bands({ bands }: { bands: PriceBands }) {
  return titles.codes.map((title) => {
    const band = bands[title];
    return (
      band && (
        <span key={title} className="ds-band">
          <span className="kq-muted">{titles.label(title)}</span> {yuan(band.minFen, true)}–<b>{yuan(band.defaultFen, true)}</b>–
          {yuan(band.maxFen, true)}
        </span>
      )
    );
  });
}
