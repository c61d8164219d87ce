import { Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { days as daysMs, instantOf, showInstant, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { adjustAdvertise, queryAdvertiseDetail, queryAdvertiseList } from '../../contract/adverts/calls.ts';
import { adjustBanner, queryBannerList, queryDeliveryCalendar, type CalendarBar } from '../../contract/banners/calls.ts';
import { deliveryKinds, shownStates } from '../../contract/delivery/dictionaries.ts';
import { weekdaysOf } from '../delivery/weekdays.ts';

interface BarProps {
  bar: CalendarBar;
  from: Day;
  days: number;
}

/** One delivery over the days; its right end goes to another day by who may adjust it: dragged, or by the arrow keys and Enter. */
export function Bar({ bar, from, days }: BarProps) {
  const place = useRef<HTMLDivElement>(null);
  /** Where its end is being moved to; null: it stands. */
  const [moved, setMoved] = useState<Instant | null>(null);
  const dragged = useRef(false);
  const options = { success: '操作成功!', refreshes: [queryDeliveryCalendar, queryBannerList, queryAdvertiseList] } as const;
  const banner = useCommand(adjustBanner, options);
  const advert = useCommand(adjustAdvertise, options);
  const begin = Date.parse(startOfDay(from));
  const whole = daysMs(days);
  const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - begin) / whole));
  const endAt = moved ?? bar.endAt;
  const left = share(bar.startAt);
  const width = Math.max(0.006, share(endAt) - left);

  /** The end of a day of these; null: it would end before it begins. */
  const endOf = (day: number): Instant | null => {
    const at = instantOf(begin + daysMs(Math.max(1, Math.min(days, day))));
    return Date.parse(at) > Date.parse(bar.startAt) ? at : null;
  };
  const dayAt = (clientX: number): Instant | null => {
    const box = place.current?.parentElement?.getBoundingClientRect();
    return box ? endOf(Math.ceil(((clientX - box.left) / box.width) * days)) : null;
  };
  const step = (by: number) => {
    const from = share(endAt) * days;
    // An end within a day goes to that day's end first.
    const at = endOf(by > 0 ? Math.floor(from + by) : Math.ceil(from + by));
    if (at !== null) setMoved(at);
  };
  const drop = async (at: Instant) => {
    const content = `“${bar.name}”的结束时间将改为 ${showInstant(at).slice(0, 16)}，是否继续?`;
    const about = [
      { label: '内容', value: `${deliveryKinds.label(bar.kind)} ${bar.name}` },
      { label: '原结束时间', value: showInstant(bar.endAt).slice(0, 16) },
      { label: '新结束时间', value: showInstant(at).slice(0, 16) },
    ];
    if (at === bar.endAt || !(await ask({ title: '调整投放', content, facts: about }))) return setMoved(null);
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
      title={[
        `${bar.no} ${bar.name}`,
        shownStates.label(bar.shownState),
        `${showInstant(bar.startAt).slice(0, 16)} 至 ${showInstant(endAt).slice(0, 16)}`,
        bar.slot,
        `优先级${bar.priority}`,
      ].join('　')}
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
        {/* An end beyond the last day shown is moved where it is shown. */}
        {bar.adjustable && Date.parse(bar.endAt) <= begin + whole && (
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
              dragged.current = false;
              setMoved(bar.endAt);
            }}
            onPointerMove={(event) => {
              if (moved === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
              dragged.current = true;
              setMoved(dayAt(event.clientX) ?? moved);
            }}
            onPointerUp={() => {
              if (dragged.current && moved !== null) void drop(moved);
              else setMoved(null);
            }}
            onPointerCancel={() => setMoved(null)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') step(1);
              else if (event.key === 'ArrowLeft') step(-1);
              else if (event.key === 'Enter' && moved !== null) void drop(moved);
              else if (event.key === 'Escape' && moved !== null) setMoved(null);
              else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        )}
      </div>
    </Tooltip>
  );
}
