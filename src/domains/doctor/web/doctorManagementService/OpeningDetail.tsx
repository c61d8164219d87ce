import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { weekdays } from '../../contract/dictionaries.ts';
import { queryServiceOpeningDetail } from '../../contract/calls/openings.ts';
import { openingMachine } from '../../contract/states.ts';
import { PriceChart } from '../services/PriceChart.tsx';

/** Below a row: the prices it has had, its bookable and booked times, its trail. */
export function OpeningDetail({ id }: { id: string }) {
  const { data, error, refetch } = useData(queryServiceOpeningDetail, { id }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" />;
  const { opening, prices, booked } = data;
  return (
    <div className="ds-detail">
      <div>
        <h4>价格历史</h4>
        {prices.length === 0 ? (
          <p className="kq-muted">尚未生效，申请价 {yuan(opening.priceFen)} 元</p>
        ) : (
          <PriceChart prices={prices} band={opening.band} />
        )}
        {opening.needSlot && (
          <>
            <h4>可预约时段</h4>
            <ul className="ds-booked">
              {opening.slots.map((slot) => (
                <li key={`${slot.weekday}${slot.from}`}>
                  {weekdays.label(String(slot.weekday))} {slot.from}–{slot.to}，每档{slot.quota}人
                </li>
              ))}
            </ul>
            <h4 style={{ marginTop: 12 }}>已预约</h4>
            {booked.length === 0 ? (
              <p className="kq-muted">近7天及以后没有预约</p>
            ) : (
              <ul className="ds-booked">
                {booked.map((slot) => (
                  <li key={slot.slotAt}>
                    {showInstant(slot.slotAt).slice(5, 16)}　{slot.taken}/{slot.quota}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <div>
        <h4>操作轨迹</h4>
        <AuditTimeline rows={data.trail} machine={openingMachine} />
      </div>
    </div>
  );
}
