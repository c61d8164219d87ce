import { Button, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { queryAudienceEstimate } from '../../contract/banners/calls.ts';
import { firstSeenOps, wishes } from '../../contract/delivery/dictionaries.ts';
import type { ClientType } from '../../contract/floors/clientPages.ts';
import { queryTagGroupList } from '../../contract/marks/calls/groups.ts';
import type { ObjectTypeCode } from '../../contract/marks/dictionaries.ts';
import { numbersOf } from '../marks/numbersOf.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import type { AudienceDraft } from './audienceDraft.ts';

const personOf: Readonly<Record<ClientType, ObjectTypeCode>> = { PATIENT: 'PATIENT', DOCTOR: 'DOCTOR', STORE: 'DRUGSTORE' };
const options = (of: { options: readonly { value: string; label: string }[] }) => of.options.map(({ value, label }) => ({ value, label }));

interface MarksSelectProps {
  objectType: ObjectTypeCode;
  label: string;
  value?: readonly string[];
  onChange?(ids: string[]): void;
}

/** Marks of a kind of thing, by their groups. */
export function MarksSelect({ objectType, label, value = [], onChange }: MarksSelectProps) {
  const found = useData(queryTagGroupList, { objectType }, { quiet: true, fresh: 60_000 });
  const groups = (found.data ?? []).filter(({ state }) => state === 'ENABLED');
  return (
    <Select
      mode="multiple"
      aria-label={label}
      placeholder="请选择标签"
      optionFilterProp="label"
      maxTagCount="responsive"
      value={[...value]}
      onChange={(ids: string[]) => onChange?.(ids)}
      notFoundContent={<NoChoices of={found} none="没有启用的标签" />}
      options={groups.map(({ groupName, marks }) => ({
        label: groupName,
        options: marks.filter(({ state }) => state === 'ENABLED').map(({ id, markName }) => ({ value: id, label: markName })),
      }))}
    />
  );
}

interface AudienceInputProps {
  clientType: ClientType;
  value?: AudienceDraft;
  onChange?(value: AudienceDraft): void;
}

/** Conditions on who is looking, joined by "and", and how many people the marks may reach. */
export function AudienceInput({ clientType, value = {}, onChange }: AudienceInputProps) {
  const [open, setOpen] = useState(false);
  const [numbers, setNumbers] = useState((value.testNos ?? []).join('\n'));
  const estimate = useData(queryAudienceEstimate, { clientType, audience: value }, { quiet: true });
  const set = (patch: Partial<AudienceDraft>) => onChange?.({ ...value, ...patch });
  const person = personOf[clientType];
  const marks = (key: 'marksAny' | 'marksAll' | 'marksNone', label: string) => (
    <Form.Item label={label}>
      <MarksSelect
        objectType={person}
        label={label}
        value={value[key] as readonly string[] | undefined}
        onChange={(ids) => set({ [key]: ids })}
      />
    </Form.Item>
  );
  const wish = (key: 'realName' | 'loggedIn', label: string) => (
    <Form.Item label={label}>
      <Select
        aria-label={label}
        options={options(wishes)}
        value={value[key] ?? 'ANY'}
        onChange={(one: 'ANY' | 'YES' | 'NO') => set({ [key]: one })}
      />
    </Form.Item>
  );
  return (
    <div className="dl-audience">
      <Form.Item label="地区">
        <RegionsPicker aria-label="地区" value={value.adcodes ?? []} onChange={(adcodes) => set({ adcodes: [...(adcodes ?? [])] })} />
      </Form.Item>
      {marks('marksAny', '含任一标签')}
      {marks('marksAll', '含全部标签')}
      {marks('marksNone', '不含标签')}
      <Button type="link" size="small" onClick={() => setOpen(!open)}>
        {open ? '收起更多条件' : '更多条件（实名、登录、版本、建档天数、测试名单）'}
      </Button>
      {open && (
        <>
          <div className="dl-pair">
            {wish('realName', '已实名')}
            {wish('loggedIn', '已登录')}
            {(['versionFrom', 'versionTo'] as const).map((key) => {
              const label = key === 'versionFrom' ? '最低客户端版本' : '最高客户端版本';
              return (
                <Form.Item key={key} label={label}>
                  <TextInput
                    aria-label={label}
                    placeholder="如3.12.0"
                    most={20}
                    value={value[key] ?? ''}
                    onChange={({ target }) => set({ [key]: target.value.trim() })}
                  />
                </Form.Item>
              );
            })}
          </div>
          <Form.Item label="建档天数">
            <div className="kq-row">
              <Select
                aria-label="建档天数比较"
                allowClear
                placeholder="不限"
                style={{ width: 120 }}
                options={options(firstSeenOps)}
                value={value.firstSeen?.op ?? null}
                onChange={(op: 'GE' | 'LE' | null | undefined) => set({ firstSeen: op ? { op, days: value.firstSeen?.days ?? 30 } : null })}
              />
              {value.firstSeen && (
                <NumberInput
                  aria-label="天数"
                  min={0}
                  max={3650}
                  precision={0}
                  suffix="天"
                  value={value.firstSeen.days}
                  onChange={(days) => value.firstSeen && set({ firstSeen: { ...value.firstSeen, days: days ?? 0 } })}
                />
              )}
            </div>
          </Form.Item>
          <Form.Item label="测试名单" extra="编号每行一个，名单中的用户不受以上条件限制">
            <Input.TextArea
              aria-label="测试名单"
              rows={3}
              value={numbers}
              onChange={({ target }) => {
                setNumbers(target.value);
                set({ testNos: numbersOf(target.value) });
              }}
            />
          </Form.Item>
        </>
      )}
      {estimate.data && (
        <p className="kq-muted">
          按标签预计覆盖 <b className="kq-number">{estimate.data.people}</b> 人（全部 {estimate.data.all} 人），地区与登录状态在访问时判断
        </p>
      )}
    </div>
  );
}
