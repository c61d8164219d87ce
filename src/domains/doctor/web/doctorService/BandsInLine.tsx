import { yuan } from '#kernel/contract/money.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { titles } from '../../contract/dictionaries.ts';
import type { PriceBands } from '../../contract/rules/price.ts';

/** The prices of all titles in one line, title by title on hovering. */
export function BandsInLine({ bands }: { bands: PriceBands }) {
  const given = titles.codes.flatMap((title) => (bands[title] ? [{ title, ...bands[title] }] : []));
  if (given.length === 0) return NOTHING;
  const least = Math.min(...given.map(({ minFen }) => minFen));
  const most = Math.max(...given.map(({ maxFen }) => maxFen));
  const each = given.map(
    (one) => `${titles.label(one.title)} ${yuan(one.minFen, true)}–${yuan(one.defaultFen, true)}–${yuan(one.maxFen, true)}`,
  );
  return (
    <span title={each.join('\n')}>
      {yuan(least, true)}–{yuan(most, true)} <span className="kq-muted">{given.length}档职称</span>
    </span>
  );
}
