import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { Button, Popover, Switch } from 'antd';
import { lazy, useState } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { modifyWorkCalendar, queryWorkCalendar } from '../../contract/calls/system.ts';
import { identityPermissions as permissions } from '../../contract/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { daysOfMonth, isWeekday, plusMonths, weekdayOf } from './calendarDays.ts';
import type { CalendarDay } from './calendarDays.ts';
import './menus.css';
import { RefreshButton } from '#kernel/web/kit/RefreshButton.tsx';

const HolidayImport = lazy(async () => ({ default: (await import('./HolidayImport.tsx')).HolidayImport }));

const weekdays = ['一', '二', '三', '四', '五', '六', '日'];

/** Tab 工作日历: which days are working days, and which bank days. */
export function WorkCalendar() {
  const may = useMay();
  const editable = may(permissions['calendar.edit']);
  const [month, setMonth] = useState(() => todayHere().slice(0, 7));
  const layers = useLayers();
  const days = daysOfMonth(month);
  const { data, error, refetch, fetching } = useData(queryWorkCalendar, { from: days[0]!, to: days.at(-1)! }, { quiet: true });
  const known = new Map((data?.days ?? []).map((day) => [day.day, day]));
  // A day that the calendar does not hold is what its weekday says.
  const shown = days.map((day): CalendarDay => known.get(day) ?? { day, isWorkday: isWeekday(day), isBankday: isWeekday(day), note: '' });
  const workdays = shown.filter((day) => day.isWorkday).length;
  return (
    <>
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Button onClick={() => setMonth(plusMonths(month, -1))}>上个月</Button>
          <MonthInput aria-label="月份" value={month} onChange={setMonth} />
          <Button onClick={() => setMonth(plusMonths(month, 1))}>下个月</Button>
          <Button type="link" onClick={() => setMonth(todayHere().slice(0, 7))}>
            本月
          </Button>
          <span className="kq-muted">
            工作日{workdays}天，休息日{days.length - workdays}天
          </span>
        </div>
        <div className="kq-toolbar-end">
          <RefreshButton busy={fetching} onRefresh={() => void refetch()} />
          <Can permission={permissions['calendar.edit']}>
            <Button onClick={() => layers.open((close) => <HolidayImport onClose={close} />)}>导入节假日安排</Button>
          </Can>
        </div>
      </div>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="id-scroll">
          <div className="id-calendar">
            {weekdays.map((name) => (
              <div key={name} className="id-weekday">
                周{name}
              </div>
            ))}
            {Array.from({ length: weekdayOf(days[0]!) }, (_, index) => (
              <span key={index} className="id-day id-outside" />
            ))}
            {shown.map((day) => (
              <DayCell key={day.day} day={day} editable={editable} />
            ))}
            {Array.from({ length: 6 - weekdayOf(days.at(-1)!) }, (_, index) => (
              <span key={`after${index}`} className="id-day id-outside" />
            ))}
          </div>
          <p className="kq-muted">{editable ? '点击日期可设置工作日、银行工作日和说明。' : '当前角色只能查看工作日历。'}</p>
        </div>
      )}
      {layers.shown}
    </>
  );
}

/** One day; a click opens its two switches. */
function DayCell({ day, editable }: { day: CalendarDay; editable: boolean }) {
  const [open, setOpen] = useState(false);
  const shifted = day.isWorkday !== isWeekday(day.day);
  const cell = (
    <button
      type="button"
      disabled={!editable}
      className={['id-day', !day.isWorkday && 'id-rest', day.day === todayHere() && 'id-today'].filter(Boolean).join(' ')}
    >
      <span>
        <b>{Number(day.day.slice(8))}</b>{' '}
        {shifted && <span className={day.isWorkday ? 'id-shift' : 'id-mark'}>{day.isWorkday ? '班' : '休'}</span>}
      </span>
      <small>{day.note}</small>
      {day.isWorkday !== day.isBankday && <small>{day.isBankday ? '银行工作日' : '银行休息'}</small>}
    </button>
  );
  if (!editable) return cell;
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={setOpen}
      title={day.day}
      destroyOnHidden
      content={<DayForm day={day} onDone={() => setOpen(false)} />}
    >
      {cell}
    </Popover>
  );
}

function DayForm({ day, onDone }: { day: CalendarDay; onDone(): void }) {
  const [values, setValues] = useState(day);
  const save = useCommand(modifyWorkCalendar, { success: '修改成功!', refreshes: [queryWorkCalendar], onSuccess: onDone });
  return (
    <div className="id-stack" style={{ gap: 10, width: 220 }}>
      <label>
        <Switch
          size="small"
          checked={values.isWorkday}
          onChange={(isWorkday) => setValues({ ...values, isWorkday, isBankday: isWorkday && values.isBankday })}
        />{' '}
        工作日
      </label>
      <label>
        <Switch size="small" checked={values.isBankday} onChange={(isBankday) => setValues({ ...values, isBankday })} /> 银行工作日
      </label>
      <TextInput
        value={values.note}
        most={50}
        placeholder="说明，如 国庆节"
        aria-label="说明"
        onChange={(event) => setValues({ ...values, note: event.target.value })}
      />
      <Button
        type="primary"
        size="small"
        loading={save.flying}
        disabled={save.busy}
        onClick={() => void save.run({ day: day.day, isWorkday: values.isWorkday, isBankday: values.isBankday, note: values.note.trim() })}
      >
        保存
      </Button>
    </div>
  );
}
