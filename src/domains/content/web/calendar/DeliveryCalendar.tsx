import { Button, DatePicker, Select } from 'antd';
import dayjs from 'dayjs';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryDeliveryCalendar } from '../../contract/banners/calls.ts';
import { shownStates, type ShownState } from '../../contract/delivery/dictionaries.ts';
import { positionCodes } from '../../contract/delivery/positions.ts';
import { weekdayNames } from '../../contract/delivery/schedule.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';
import { Bar } from './Bar.tsx';
import { lanesOf } from './lanes.ts';
import './calendar.css';

const DAYS = 28;
const BACK = 7;
/** The states of bars, in their colours. */
const keys: readonly ShownState[] = ['LIVE', 'PAUSED_SLOT', 'WAITING', 'AUDITING', 'ENDED'];

/** Tab 投放日历: places and days; what is hatched shows nothing of its own. */
export function DeliveryCalendar() {
  const { path, search } = usePage();
  const pageCode = pageCodes.codes.find((code) => code === search['pageCode']);
  const asked = search['from'];
  const from: Day = typeof asked === 'string' && /^\d{4}-\d\d-\d\d$/.test(asked) ? asked : plusDays(todayHere(), -BACK);
  const to = plusDays(from, DAYS - 1);
  const calendar = useData(queryDeliveryCalendar, { from, to, ...(pageCode && { pageCode }) });
  const adjustable = calendar.data?.some(({ bars }) => bars.some((bar) => bar.adjustable)) ?? false;
  const days = Array.from({ length: DAYS }, (_, index) => plusDays(from, index));
  const show = (next: Record<string, string>) => goTo(path, { ...search, ...next }, { replace: true });
  const weekday = (day: Day) => weekdayNames[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '';
  return (
    <div className="dc">
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Select
            aria-label="页面"
            allowClear
            placeholder="全部页面"
            style={{ width: 180 }}
            value={pageCode ?? null}
            options={pageCodes.options.map(({ value, label }) => ({ value, label }))}
            onChange={(code: string | null | undefined) => show({ pageCode: code ?? '' })}
          />
          <Button onClick={() => show({ from: plusDays(from, -DAYS) })}>上一页</Button>
          <DatePicker
            aria-label="开始日期"
            allowClear={false}
            value={dayjs(from)}
            onChange={(day: dayjs.Dayjs | null) => day && show({ from: day.format('YYYY-MM-DD') })}
          />
          <Button onClick={() => show({ from: plusDays(from, DAYS) })}>下一页</Button>
          <Button onClick={() => show({ from: '' })}>今天</Button>
          {keys.map((state) => (
            <span key={state} className="dc-key kq-muted" data-state={state}>
              {shownStates.label(state)}
            </span>
          ))}
          <span className="kq-muted">斜纹为没有投放中的Banner{adjustable && '；拖动右端，或选中右端后按←→和回车，调整结束时间'}</span>
        </div>
      </div>
      {calendar.data === undefined ? (
        <Waiting for={calendar} />
      ) : (
        <div className="dc-scroll">
          <div className="dc-row dc-head">
            <span className="dc-name">位置</span>
            <div className="dc-days">
              {days.map((day) => (
                <span key={day} data-today={day === todayHere() ? 'true' : undefined}>
                  {day.slice(5)}
                  <br />
                  <small>{weekday(day)}</small>
                </span>
              ))}
            </div>
          </div>
          {calendar.data.map(({ positionCode, bars, gaps }) => (
            <div key={positionCode} className="dc-row" role="group" aria-label={positionCodes.label(positionCode)}>
              <span className="dc-name">{positionCodes.label(positionCode)}</span>
              <div className="dc-place">
                <div className="dc-days" aria-hidden="true">
                  {days.map((day) => (
                    <span
                      key={day}
                      data-gap={gaps.includes(day) ? 'true' : undefined}
                      data-today={day === todayHere() ? 'true' : undefined}
                    />
                  ))}
                </div>
                {lanesOf(bars).map((lane, index) => (
                  <div className="dc-lane" key={index}>
                    {lane.map((bar) => (
                      <Bar key={bar.id} bar={bar} from={from} days={DAYS} />
                    ))}
                  </div>
                ))}
              </div>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
