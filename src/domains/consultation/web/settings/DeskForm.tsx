import { Button, Checkbox, Form, Input, Select, Space } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { TimeSelect } from '#kernel/web/kit/TimeSelect.tsx';
import { querySelectOptions as queryChannelOptions } from '#domains/channel/contract/calls/channels.ts';
import { querySelectOptions as queryDoctorOptions } from '#domains/doctor/contract/calls/options.ts';
import { consultationErrors } from '../../contract/errors.ts';
import { addDesk, modifyDesk, queryDeskList, type DeskRow, type Weekday } from '../../contract/calls/desks.ts';
import { deskSources } from '../../contract/dictionaries.ts';
import { weekdayNames } from './weekdays.ts';

type Source = DeskRow['sources'][number];
interface Values {
  deskCode: string;
  deskName: string;
  assistantIds: string[];
  sources: Source[];
  dutyFrom: string;
  dutyTo: string;
  weekdays: Weekday[];
  welcomeText: string;
  offHoursText: string;
}
const labels = {
  deskCode: '编码',
  deskName: '名称',
  assistantIds: '接待医助',
  sources: '来源',
  dutyFrom: '开始时间',
  dutyTo: '结束时间',
  weekdays: '接待日',
  welcomeText: '欢迎语',
  offHoursText: '非接待时间回复',
};
const FRESH = 60_000;
/** Kinds of sources that can be looked up by name. */
const chosenTypes = ['CHANNEL', 'SCENE_CODE', 'DISEASE'] as const;
type Chosen = (typeof chosenTypes)[number];

function Assistants({
  id,
  value = [],
  onChange,
  known,
}: {
  id?: string;
  value?: string[];
  onChange?(value: string[]): void;
  known: DeskRow['assistants'];
}) {
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const { data, fetching } = useData(
    queryDoctorOptions,
    { type: 'ASSISTANT', limit: 50, ...(keyword && { keyword }) },
    { fresh: FRESH, quiet: true },
  );
  const options = new Map(
    [...known.map(({ assistantId, name }) => ({ value: assistantId, label: name })), ...(data ?? [])].map(({ value: one, label }) => [
      one,
      { value: one, label },
    ]),
  );
  return (
    <Select<string[]>
      {...(id && { id })}
      mode="multiple"
      className="kq-wide"
      showSearch={{ filterOption: false, onSearch: search }}
      loading={fetching}
      value={value}
      options={[...options.values()]}
      placeholder="按姓名查找医助"
      notFoundContent={fetching ? '加载中…' : '没有匹配的医助'}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** Where the desk's patients come from; what other domains hold is found by name. */
function Sources({ id, value = [], onChange }: { id?: string; value?: Source[]; onChange?(value: Source[]): void }) {
  const [type, setType] = useState<Chosen>('CHANNEL');
  const [keyword, setKeyword] = useState('');
  const search = useDebouncedCallback(setKeyword);
  const wish = { limit: 20, ...(keyword && { keyword }) };
  const channels = useData(
    queryChannelOptions,
    { type: type === 'SCENE_CODE' ? 'SCENE' : 'CHANNEL', ...wish },
    { enabled: type !== 'DISEASE', fresh: FRESH, quiet: true },
  );
  const diseases = useData(queryDoctorOptions, { type: 'DISEASE', ...wish }, { enabled: type === 'DISEASE', fresh: FRESH, quiet: true });
  const { data, fetching } = type === 'DISEASE' ? diseases : channels;
  const add = (sourceId: string) => {
    const found = data?.find((one) => one.value === sourceId);
    if (found && !value.some((one) => one.sourceType === type && one.sourceId === sourceId))
      onChange?.([...value, { sourceType: type, sourceId, sourceName: found.label.slice(0, 60) }]);
  };
  return (
    <div>
      {value.map((one) => (
        <div key={`${one.sourceType}${one.sourceId}`} style={{ display: 'flex', gap: 8, marginBottom: 4, alignItems: 'center' }}>
          <span className="kq-muted">{deskSources.label(one.sourceType)}</span>
          <span>{one.sourceName}</span>
          <Button size="small" type="link" danger onClick={() => onChange?.(value.filter((other) => other !== one))}>
            删除
          </Button>
        </div>
      ))}
      <Space.Compact block>
        <Select
          style={{ width: 100 }}
          value={type}
          options={chosenTypes.map((one) => ({ value: one, label: deskSources.label(one) }))}
          onChange={(next: Chosen) => {
            setType(next);
            setKeyword('');
          }}
        />
        <Select<string>
          {...(id && { id })}
          className="kq-wide"
          showSearch={{ filterOption: false, onSearch: search }}
          loading={fetching}
          placeholder="按名称查找并添加"
          key={`${type}${value.length}`}
          options={(data ?? []).map(({ value: one, label }) => ({ value: one, label }))}
          notFoundContent={fetching ? '加载中…' : '没有匹配的来源'}
          onSelect={(one: string) => add(one)}
        />
      </Space.Compact>
    </div>
  );
}

const days = weekdayNames.map((name, index) => ({ value: index + 1, label: `周${name}` }));

/** One desk, new or as it stands. */
export function DeskForm({ desk, onClose }: { desk: DeskRow | null; onClose(): void }) {
  const initial: Partial<Values> = desk
    ? { ...desk, assistantIds: desk.assistants.map(({ assistantId }) => assistantId), sources: desk.sources }
    : {
        assistantIds: [],
        sources: [],
        dutyFrom: '08:30',
        dutyTo: '18:30',
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        welcomeText: '',
        offHoursText: '',
      };
  const body = (
    <>
      {!desk && (
        <Field of={addDesk} name="deskCode" label="编码">
          <Input />
        </Field>
      )}
      <Field of={addDesk} name="deskName" label="名称">
        <Input showCount />
      </Field>
      <Field
        of={addDesk}
        name="assistantIds"
        rules={[{ required: true, type: 'array', min: 1, message: consultationErrors.DESK_WITHOUT_ASSISTANT.text }]}
      >
        <Assistants known={desk?.assistants ?? []} />
      </Field>
      {desk?.deskCode !== 'DEFAULT' && (
        <Form.Item name="sources" label="来源" extra="一个来源只能属于一个启用的导诊台">
          <Sources />
        </Form.Item>
      )}
      <Field of={addDesk} name="weekdays">
        <Checkbox.Group options={days} />
      </Field>
      <Space size={24}>
        <Field of={addDesk} name="dutyFrom">
          <TimeSelect />
        </Field>
        <Field of={addDesk} name="dutyTo">
          <TimeSelect />
        </Field>
      </Space>
      <Field of={addDesk} name="welcomeText" />
      <Field of={addDesk} name="offHoursText" />
    </>
  );
  const fieldsOf = ({ deskName, assistantIds, sources, dutyFrom, dutyTo, weekdays, welcomeText, offHoursText }: Values) => ({
    deskName,
    assistantIds,
    sources: sources ?? [],
    dutyFrom,
    dutyTo,
    weekdays,
    welcomeText: welcomeText ?? '',
    offHoursText: offHoursText ?? '',
  });
  const shared = { open: true, initial, labels, refreshes: [queryDeskList], onClose } as const;
  return desk ? (
    <FormDrawer<typeof modifyDesk, Values>
      {...shared}
      title={`编辑导诊台：${desk.deskName}`}
      call={modifyDesk}
      recordKey={desk.id}
      success="修改成功!"
      toInput={(values) => ({ id: desk.id, version: desk.version, ...fieldsOf({ ...values, sources: values.sources ?? desk.sources }) })}
    >
      {body}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addDesk, Values>
      {...shared}
      title="新增导诊台"
      call={addDesk}
      success={SERVER_MESSAGE}
      toInput={(values) => ({ deskCode: values.deskCode, ...fieldsOf(values) })}
    >
      {body}
    </FormDrawer>
  );
}
