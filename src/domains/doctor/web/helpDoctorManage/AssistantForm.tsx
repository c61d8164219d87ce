import { Form, Input, Select } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import {
  addAssistant,
  assistantLabels,
  modifyAssistant,
  queryAssistantList,
  queryAssistantSummary,
  queryAssistantUserOptions,
  type AssistantRow,
} from '../../contract/calls/assistants.ts';
import type { DutySpan } from '../../contract/rules/duty.ts';
import { DutyGrid } from '../staffing/DutyGrid.tsx';
import { CountField } from '../services/inputs.tsx';
import { portraitFiles, withPortrait } from '../services/portrait.ts';
import { RefSelect, RefsSelect } from '../services/Selects.tsx';
import '../staffing/staffing.css';

interface Values {
  userId: string;
  mobile?: string;
  groupName: string;
  leaderId?: string | null;
  capacity: number;
  diseaseIds?: string[];
  dutyWeek: DutySpan[];
  avatar?: readonly UploadedFile[];
}
const refreshes = [queryAssistantList, queryAssistantSummary];
const USUAL_CAPACITY = 40;

/** Staff users; who is an assistant already is shown and cannot be chosen. */
function UserSelect({ value, onChange, id }: { id?: string; value?: string; onChange?(value: string): void }) {
  const [keyword, setKeyword] = useState('');
  const found = useData(queryAssistantUserOptions, keyword ? { keyword } : {}, { quiet: true });
  const search = useDebouncedCallback(setKeyword);
  return (
    <Select<string>
      {...(id && { id })}
      className="kq-wide"
      showSearch={{ filterOption: false, onSearch: search }}
      loading={found.fetching}
      value={value ?? null}
      placeholder="输入姓名或工号查找"
      notFoundContent={<NoChoices of={found} none="没有符合的员工" />}
      options={(found.data ?? []).map(({ userId, displayName, opNo, taken }) => ({
        value: userId,
        label: `${displayName}（${opNo}）${taken ? ' 该员工已是医助' : ''}`,
        disabled: taken,
      }))}
      onChange={(next) => onChange?.(next)}
    />
  );
}

/** Drawer 新增/编辑医助. */
export function AssistantForm({ row, onClose }: { row: AssistantRow | null; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const initial: Partial<Values> = row
    ? {
        groupName: row.groupName,
        leaderId: row.leaderId,
        capacity: row.capacity,
        diseaseIds: row.diseaseIds,
        dutyWeek: row.dutyWeek,
        avatar: portraitFiles(row.avatarFileId),
      }
    : { capacity: USUAL_CAPACITY, diseaseIds: [], dutyWeek: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, from: '08:30', to: '18:30' })) };
  const fieldsOf = (values: Values) => ({
    groupName: values.groupName,
    leaderId: values.leaderId ?? null,
    capacity: values.capacity,
    diseaseIds: values.diseaseIds ?? [],
    dutyWeek: values.dutyWeek,
    avatarFileId: values.avatar?.[0]?.fileId ?? null,
  });
  const fields = (
    <div className="st-two">
      {!row && (
        <Field of={addAssistant} name="userId" label="关联员工" className="st-full">
          <UserSelect />
        </Field>
      )}
      <Field of={row ? modifyAssistant : addAssistant} name="mobile">
        <Input placeholder={row ? `${row.mobile}（不修改请留空）` : '11位手机号'} />
      </Field>
      <CountField of={addAssistant} name="capacity" label="容量（同时进行中的问诊）" />
      <Field of={addAssistant} name="groupName" />
      <Field of={addAssistant} name="leaderId">
        <RefSelect type="ASSISTANT" placeholder="不选为无组长" />
      </Field>
      <Field of={addAssistant} name="diseaseIds" className="st-full">
        <RefsSelect type="DISEASE" max={20} placeholder="最多20个" />
      </Field>
      <Form.Item label={assistantLabels.avatarFileId} name="avatar" className="st-full">
        <Upload purpose="ASSISTANT_AVATAR" max={1} />
      </Form.Item>
      <Field of={addAssistant} name="dutyWeek" className="st-full">
        <DutyGrid />
      </Field>
    </div>
  );
  const shared = {
    open: true,
    onClose,
    refreshes,
    form,
    initial,
    labels: { ...assistantLabels, avatar: assistantLabels.avatarFileId },
    width: 760,
  } as const;
  if (!row) {
    return (
      <FormDrawer<typeof addAssistant, Values>
        {...shared}
        title="新增医助"
        call={addAssistant}
        toInput={(values) => ({ userId: values.userId, mobile: values.mobile ?? '', ...fieldsOf(values) })}
        success={SERVER_MESSAGE}
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof modifyAssistant, Values>
      {...shared}
      title={`编辑医助：${row.name}`}
      call={modifyAssistant}
      recordKey={row.id}
      toInput={(values) => ({ id: row.id, version: row.version, ...(values.mobile && { mobile: values.mobile }), ...fieldsOf(values) })}
      success="修改成功!"
      valuesOf={withPortrait<Values>}
    >
      {fields}
    </FormDrawer>
  );
}
