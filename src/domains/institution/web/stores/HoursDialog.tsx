import { Button, Input, Modal, Space, Switch, Tooltip } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { DayRangeInput } from '#kernel/web/form/DayRangeInput.tsx';
import { useTyped, type Typed } from '#kernel/web/form/useTyped.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { useLeaving } from '#kernel/web/tabs/page.tsx';
import {
  LATEST,
  MAX_SPANS,
  overlaps,
  showSpans,
  weekDays,
  weekOverlaps,
  type Span,
  type WeekDay,
  type WeekHours,
} from '../../contract/opening.ts';
import { queryDrugstoreDetail, queryDrugstoreList, saveBusinessHours, saveStoreHolidays } from '../../contract/storeCalls.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const names: Readonly<Record<WeekDay, string>> = { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' };
const pad = (value: number) => String(value).padStart(2, '0');
const format = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;

/** A time of day as people type it: `9`, `930`, `9:30`, `９：３０`; past midnight it goes on to 48:00. */
function readMinute(typed: string): Typed<number> {
  const text = typed.normalize('NFKC').replaceAll(/\s/g, '');
  const found = /^(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  const minute = found ? Number(found[1]) * 60 + Number(found[2] ?? 0) : null;
  if (minute === null || Number(found?.[2] ?? 0) > 59 || minute > LATEST)
    return { fault: `请输入00:00至${format(LATEST)}的时间，如 08:30` };
  return { value: minute, text };
}

interface MinuteInputProps {
  value: number;
  onChange(minute: number): void;
  'aria-label': string;
}

function MinuteInput({ value, onChange, ...rest }: MinuteInputProps) {
  const typed = useTyped<number>({
    shown: format(value),
    isSet: false,
    read: readMinute,
    onChange: (minute) => minute !== null && onChange(minute),
  });
  return (
    <Tooltip title={typed.told} open={typed.told !== null} placement="topLeft">
      <Input
        {...rest}
        size="small"
        style={{ width: 76 }}
        {...(typed.isFaulty && { status: 'error' as const })}
        value={typed.text}
        onChange={({ target }) => typed.type(target.value)}
        onBlur={typed.leave}
      />
    </Tooltip>
  );
}

/** Spans of one day; hours past 24:00 reach into the next day. */
function SpansInput({ value, onChange }: { value: readonly Span[]; onChange(next: readonly Span[]): void }) {
  const set = (index: number, patch: Partial<Span>) => onChange(value.map((span, at) => (at === index ? { ...span, ...patch } : span)));
  return (
    <Space wrap>
      {value.length === 0 && <span className="kq-muted">休息</span>}
      {value.map((span, index) => (
        <Space.Compact key={index}>
          <MinuteInput value={span.from} onChange={(from) => set(index, { from })} aria-label="开始" />
          <MinuteInput value={span.to} onChange={(to) => set(index, { to })} aria-label="结束" />
          <Button size="small" onClick={() => onChange(value.filter((_, at) => at !== index))} aria-label="删除时段">
            ×
          </Button>
        </Space.Compact>
      ))}
      {value.length < MAX_SPANS && (
        <Button size="small" onClick={() => onChange([...value, { from: 540, to: 1260 }])}>
          加时段
        </Button>
      )}
      <Button size="small" type="link" onClick={() => onChange([{ from: 0, to: 1440 }])}>
        24小时
      </Button>
    </Space>
  );
}

interface HoursDialogProps {
  stores: readonly { id: string; name: string }[];
  initial?: WeekHours;
  /** They were worked on; the result may still be shown. */
  onDone?(): void;
  onClose(): void;
}
const asOutcomes = (rows: readonly { name: string; ok: boolean; message: string }[]): RowOutcome[] =>
  rows.map(({ name, ok, message }) => ({ name, ok, message }));

const NO_HOURS: WeekHours = {};

/** 设置营业时间 of one or many stores. */
export function HoursDialog({ stores, initial = NO_HOURS, onDone, onClose }: HoursDialogProps) {
  const [week, setWeek] = useState<WeekHours>(initial);
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const close = useLeaving(week !== initial && outcomes === null, onClose);
  const command = useCommand(saveBusinessHours, { refreshes: [queryDrugstoreList, queryDrugstoreDetail] });
  const save = async () => {
    if (weekOverlaps(week)) return toast('营业时段有重叠', 'warning');
    const answer = await command.run({
      storeIds: stores.map(({ id }) => id),
      weekHours: Object.fromEntries(Object.entries(week).map(([day, spans]) => [day, [...spans]])),
    });
    if (!answer) return;
    onDone?.();
    if (stores.length === 1 && answer.data[0]?.ok) {
      toast('修改成功!');
      onClose();
    } else setOutcomes(asOutcomes(answer.data));
  };
  if (outcomes) return <BatchResult title="设置营业时间" outcomes={outcomes} running={false} total={stores.length} onClose={onClose} />;
  return (
    <Modal
      open
      width={720}
      title={`营业时间（${stores.length === 1 ? stores[0]!.name : `${stores.length}家门店`}）`}
      onCancel={close}
      mask={{ closable: false }}
      onOk={() => void save()}
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: command.busy, loading: command.flying }}
      destroyOnHidden
    >
      {weekDays.map((day) => (
        <div key={day} className="in-hours-row">
          <b>{names[day]}</b>
          <SpansInput value={week[day] ?? []} onChange={(next) => setWeek({ ...week, [day]: next })} />
          {day === '1' && (
            <Button size="small" type="link" onClick={() => setWeek(Object.fromEntries(weekDays.map((one) => [one, week['1'] ?? []])))}>
              应用到每天
            </Button>
          )}
        </div>
      ))}
      <p className="kq-muted">结束时间可超过24:00（最晚30:00，即次日06:00）。每天最多{MAX_SPANS}个时段。</p>
    </Modal>
  );
}

/** 节假日安排: other spans, or none, on some days. */
export function HolidayDialog({ stores, onDone, onClose }: Omit<HoursDialogProps, 'initial'>) {
  const [range, setRange] = useState<readonly [string, string] | null>(null);
  const [closed, setClosed] = useState(true);
  const [spans, setSpans] = useState<readonly Span[]>([{ from: 600, to: 1080 }]);
  const [note, setNote] = useState('');
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const close = useLeaving((range !== null || note !== '') && outcomes === null, onClose);
  const command = useCommand(saveStoreHolidays, { refreshes: [queryDrugstoreList, queryDrugstoreDetail] });
  const save = async () => {
    if (!range) return toast('请选择日期', 'warning');
    const shown = closed ? [] : spans;
    if (overlaps(shown)) return toast('营业时段有重叠', 'warning');
    const count = dayjs(range[1]).diff(dayjs(range[0]), 'day') + 1;
    if (count > 60) return toast('一次最多60天', 'warning');
    const days = Array.from({ length: count }, (_, index) => ({
      day: dayjs(range[0]).add(index, 'day').format('YYYY-MM-DD'),
      spans: [...shown],
      note,
    }));
    const answer = await command.run({ storeIds: stores.map(({ id }) => id), days });
    if (!answer) return;
    onDone?.();
    setOutcomes(asOutcomes(answer.data));
  };
  if (outcomes) return <BatchResult title="节假日安排" outcomes={outcomes} running={false} total={stores.length} onClose={onClose} />;
  return (
    <Modal
      open
      width={640}
      title={`节假日安排（${stores.length}家门店）`}
      onCancel={close}
      mask={{ closable: false }}
      onOk={() => void save()}
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: command.busy, loading: command.flying }}
      destroyOnHidden
    >
      <Space orientation="vertical" className="kq-wide" size="middle">
        <DayRangeInput
          aria-label="日期"
          value={range ?? undefined}
          onChange={([from, to]) => setRange(from !== null && to !== null ? [from, to] : null)}
        />
        <Space>
          <Switch checked={closed} onChange={setClosed} aria-label="休息" />
          {closed ? '休息' : `营业：${showSpans(spans)}`}
        </Space>
        {!closed && <SpansInput value={spans} onChange={setSpans} />}
        <TextInput most={50} placeholder="说明，如 春节" value={note} onChange={(event) => setNote(event.target.value)} />
      </Space>
    </Modal>
  );
}
