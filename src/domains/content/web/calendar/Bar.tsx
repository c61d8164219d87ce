import { Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { days as daysMs, instantOf, showInstant, startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import { ask } from '../../../../kernel/web/feedback/dialogs.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import { refresh, useAct } from '../../../../kernel/web/http/queries.ts';
import { adjustAdvertise, queryAdvertiseDetail, queryAdvertiseList } from '../../contract/adverts/calls.ts';
import { adjustBanner, queryBannerList, queryDeliveryCalendar, type CalendarBar } from '../../contract/banners/calls.ts';
import { deliveryKinds, shownStates } from '../../contract/delivery/dictionaries.ts';
import { weekdaysOf } from '../delivery/weekdays.ts';

interface BarProps {
  bar: CalendarBar;
  from: Day;
  days: number;
}

/** One delivery over the days; its right end can be dragged to another day by who may adjust it. */
export function Bar({ bar, from, days }: BarProps) {
  const place = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const options = { success: '操作成功!', refreshes: [queryDeliveryCalendar, queryBannerList, queryAdvertiseList] } as const;
  const banner = useAct(adjustBanner, options);
  const advert = useAct(adjustAdvertise, options);
  const begin = Date.parse(startOfDay(from));
  const whole = daysMs(days);
  const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - begin) / whole));
  const endAt = moved ?? bar.endAt;
  const left = share(bar.startAt);
  const width = Math.max(0.006, share(endAt) - left);

  const dayAt = (clientX: number): string | null => {
    const box = place.current?.parentElement?.getBoundingClientRect();
    if (!box) return null;
    const day = Math.ceil(((clientX - box.left) / box.width) * days);
    const at = instantOf(begin + daysMs(Math.max(1, Math.min(days, day))));
    return Date.parse(at) > Date.parse(bar.startAt) ? at : null;
  };
  const drop = async (at: string) => {
    const content = `“${bar.name}”的结束时间将改为 ${showInstant(at).slice(0, 16)}，是否继续?`;
    if (at === bar.endAt || !(await ask({ title: '调整投放', content }))) return setMoved(null);
    const facts = {
      id: bar.id,
      version: bar.version,
      endAt: at,
      dailyFrom: bar.dailyFrom,
      dailyTo: bar.dailyTo,
      weekdays: weekdaysOf(bar.weekdays),
      priority: bar.priority,
    };
    try {
      if (bar.kind === 'BANNER') await banner.run(facts);
      else {
        const { advert: row } = await send(queryAdvertiseDetail, { id: bar.id }, {});
        await advert.run({ ...facts, capPerPersonDay: row.capPerPersonDay, capPerPersonTotal: row.capPerPersonTotal });
      }
    } catch {
      // The refusal was toasted; the bar goes back to where it stands.
      await refresh(queryDeliveryCalendar);
    }
    setMoved(null);
  };
  return (
    <Tooltip
      title={`${bar.no} ${bar.name}　${shownStates.label(bar.shownState)}　${showInstant(bar.startAt).slice(0, 16)} 至 ${showInstant(endAt).slice(0, 16)}　${bar.slot}　优先级${bar.priority}`}
    >
      <div
        ref={place}
        className="dc-bar"
        data-state={bar.shownState}
        data-kind={bar.kind}
        style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
      >
        <span>
          {bar.kind === 'AD' && `${deliveryKinds.label(bar.kind)} `}
          {bar.name}
        </span>
        {bar.adjustable && (
          <i
            role="slider"
            tabIndex={0}
            aria-label={`${bar.name}的结束时间`}
            aria-valuetext={showInstant(endAt).slice(0, 16)}
            aria-valuenow={Math.round(share(endAt) * days)}
            aria-valuemin={0}
            aria-valuemax={days}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setMoved(bar.endAt);
            }}
            onPointerMove={(event) => {
              if (moved !== null) setMoved(dayAt(event.clientX) ?? moved);
            }}
            onPointerUp={(event) => {
              const at = dayAt(event.clientX);
              if (at === null) setMoved(null);
              else void drop(at);
            }}
          />
        )}
      </div>
    </Tooltip>
  );
}
