import { Alert, Form } from 'antd';
import type { FormInstance } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { titleRanks, titles, type TitleCode } from '../../contract/dictionaries.ts';
import { previewServiceItemBands } from '../../contract/calls/items.ts';
import type { Band, PriceBands } from '../../contract/rules/price.ts';
import { bandText } from '../services/Bands.tsx';
import type { ItemValues } from './itemValues.ts';

const whole = (band: Partial<Band> | undefined): band is Band =>
  [band?.minFen, band?.defaultFen, band?.maxFen].every((price) => typeof price === 'number');

/** Says before saving whose present price the new bands leave outside. */
export function BandImpact({ id, form, titleMin }: { id: string; form: FormInstance<ItemValues>; titleMin: TitleCode }) {
  const bands: PriceBands | undefined = Form.useWatch('priceBands', form);
  const sold = titles.codes.filter((title) => titleRanks[title] >= titleRanks[titleMin]);
  const complete = bands !== undefined && sold.every((title) => whole(bands[title]));
  const priceBands: PriceBands = complete ? Object.fromEntries(sold.map((title) => [title, bands[title]])) : {};
  const { data } = useData(previewServiceItemBands, { id, priceBands }, { enabled: complete, quiet: true, fresh: 10_000 });
  if (!complete || !data || data.total === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 16 }}
      title={`将有 ${data.total} 位医生的现价超出新区间`}
      description={
        <>
          现价保留到下次调价，届时须在新区间内。
          <ul className="ds-list">
            {data.doctors.map((row) => (
              <li key={row.openingId}>
                {row.doctorName}（{titles.label(row.titleCode)}）现价 {yuan(row.priceFen)}，新区间 {bandText(row.band)}
              </li>
            ))}
          </ul>
          {data.total > data.doctors.length && <p className="kq-muted">仅列出前 {data.doctors.length} 位</p>}
        </>
      }
    />
  );
}
