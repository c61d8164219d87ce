import { Form, Select } from 'antd';
import { useState } from 'react';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { querySelectOptions as queryChannelOptions } from '#domains/channel/contract/calls/channels.ts';
import { positionCapacity, positions, type Position } from '../../../contract/dictionaries.ts';
import {
  addRecommendation,
  modifyRecommendation,
  queryRecommendationList,
  queryRecommendationOccupancy,
  recommendationLabels,
  scopeChoice,
  type RecommendationRow,
} from '../../../contract/calls/recommendations.ts';
import { LONGEST_DAYS } from '../../../contract/rules/positions.ts';
import { LinesField } from '../../services/inputs.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { RefSelect } from '../../services/Selects.tsx';

interface Values {
  position: Position;
  diseaseId?: string | null;
  channelId?: string | null;
  keyword?: string;
  doctorId: string;
  adcode?: string | null;
  startAt: string;
  endAt: string;
  reason?: string;
}
const refreshes = [queryRecommendationList, queryRecommendationOccupancy];
const USUAL_DAYS = 30;

function ChannelSelect({ value, onChange, id }: { id?: string; value?: string | null; onChange?(value: string | null): void }) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const found = useData(queryChannelOptions, { type: 'CHANNEL', limit: 50, ...(keyword && { keyword }) }, { quiet: true, fresh: 30_000 });
  return (
    <Select<string>
      {...(id && { id })}
      className="kq-wide"
      allowClear
      showSearch={{ filterOption: false, onSearch: search }}
      loading={found.fetching}
      value={value ?? null}
      options={(found.data ?? []).map((option) => ({ value: option.value, label: option.label }))}
      placeholder="按名称查找渠道"
      notFoundContent={<NoChoices of={found} none="没有符合的渠道" />}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

const keyOf = (values: Values): string => {
  switch (values.position) {
    case 'HOME':
      return '*';
    case 'DISEASE':
      return `disease:${values.diseaseId ?? ''}`;
    case 'CHANNEL':
      return `channel:${values.channelId ?? ''}`;
    case 'SEARCH':
      return `keyword:${values.keyword?.trim() ?? ''}`;
  }
};
const timesOf = (values: Values) => ({
  startAt: values.startAt,
  endAt: values.endAt,
  adcode: values.adcode ?? null,
  reason: values.reason ?? '',
});

interface RecommendFormProps {
  /** Null: a new one. */
  row: RecommendationRow | null;
  position: Position;
  /** Preset for a new one. */
  doctorId?: string;
  onClose(): void;
}

/** Drawer 新增/编辑推荐. */
export function RecommendForm({ row, position, doctorId, onClose }: RecommendFormProps) {
  const [form] = Form.useForm<Values>();
  const chosen = (Form.useWatch('position', form) as Position | undefined) ?? position;
  const initial: Partial<Values> = row
    ? { position: row.position, doctorId: row.doctorId, adcode: row.adcode, startAt: row.startAt, endAt: row.endAt, reason: row.reason }
    : {
        position,
        ...(doctorId && { doctorId }),
        startAt: startOfDay(plusDays(todayHere(), 1)),
        endAt: startOfDay(plusDays(todayHere(), 1 + USUAL_DAYS)),
      };
  const shared = { open: true, onClose, refreshes, form, initial, labels: recommendationLabels, width: 560 } as const;
  const times = (
    <>
      <div className="st-two">
        <Field of={modifyRecommendation} name="startAt">
          <InstantInput disabled={row?.state === 'ON'} />
        </Field>
        <Field of={modifyRecommendation} name="endAt" extra={`最长${LONGEST_DAYS}天`}>
          <InstantInput />
        </Field>
      </div>
      <Field of={modifyRecommendation} name="adcode" extra="不选为全国展示">
        <RegionPicker />
      </Field>
      <LinesField of={modifyRecommendation} name="reason" />
    </>
  );
  if (row) {
    return (
      <FormDrawer<typeof modifyRecommendation, Values>
        {...shared}
        title={`编辑推荐：${row.doctorName}（${positions.label(row.position)} · ${row.scopeName}）`}
        call={modifyRecommendation}
        recordKey={row.id}
        toInput={(values) => ({ id: row.id, version: row.version, ...timesOf(values) })}
        success="修改成功!"
        valuesOf={(current) => current as Partial<Values>}
      >
        {times}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addRecommendation, Values>
      {...shared}
      title="新增推荐"
      call={addRecommendation}
      toInput={(values) => ({ position: values.position, scopeKey: keyOf(values), doctorId: values.doctorId, ...timesOf(values) })}
      success={SERVER_MESSAGE}
    >
      <Field of={addRecommendation} name="position" extra={`同一时刻最多 ${positionCapacity[chosen]} 位医生`}>
        <Select placeholder="请选择" options={positions.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      {chosen === 'DISEASE' && (
        <Field of={scopeChoice} name="diseaseId">
          <RefSelect type="DISEASE" />
        </Field>
      )}
      {chosen === 'CHANNEL' && (
        <Field of={scopeChoice} name="channelId">
          <ChannelSelect />
        </Field>
      )}
      {chosen === 'SEARCH' && <Field of={scopeChoice} name="keyword" />}
      <Field of={addRecommendation} name="doctorId">
        <RefSelect type="DOCTOR" placeholder="按姓名、拼音或编号查找医生" />
      </Field>
      {times}
    </FormDrawer>
  );
}
