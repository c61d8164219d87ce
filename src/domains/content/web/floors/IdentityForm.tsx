import { Button, Form, Popover, Switch } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { clientTypeOf, clientTypes, type PageCode } from '../../contract/floors/clientPages.ts';
import type { previewPage } from '../../contract/releases/calls.ts';
import { MarksSelect } from '../delivery/AudienceInput.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

export type Identity = NonNullable<InputOf<typeof previewPage>['as']>;
const person = { PATIENT: 'PATIENT', DOCTOR: 'DOCTOR', STORE: 'DRUGSTORE' } as const;

interface IdentityFormProps {
  pageCode: PageCode;
  value: Identity | null;
  onChange(identity: Identity | null): void;
}

/** 预览身份: as whom the page is looked at: a person by his number, or somebody made up. */
export function IdentityForm({ pageCode, value, onChange }: IdentityFormProps) {
  const [open, setOpen] = useState(false);
  const clientType = clientTypeOf(pageCode);
  const shown = value ?? {};
  const set = (patch: Partial<Identity>) => onChange({ ...shown, ...patch });
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomLeft"
      title="预览身份"
      content={
        <Form layout="vertical" className="fl-identity">
          <Form.Item label={`${clientTypes.label(clientType)}用户编号`} extra="填写后按该用户的标签与实名状态预览">
            <TextInput
              aria-label="用户编号"
              allowClear
              most={40}
              defaultValue={shown.personNo ?? ''}
              placeholder="不填则按以下条件预览"
              onBlur={({ target }) => set({ personNo: target.value.trim() || undefined })}
              onPressEnter={({ currentTarget }) => set({ personNo: currentTarget.value.trim() || undefined })}
            />
          </Form.Item>
          <Form.Item label="地区">
            <RegionPicker aria-label="预览地区" value={shown.adcode ?? null} onChange={(adcode) => set({ adcode: adcode ?? undefined })} />
          </Form.Item>
          {!shown.personNo && (
            <>
              <Form.Item label="标签">
                <MarksSelect
                  objectType={person[clientType]}
                  label="预览标签"
                  value={(shown.markIds ?? []).map(String)}
                  onChange={(markIds) => set({ markIds })}
                />
              </Form.Item>
              <div className="kq-row">
                <Switch
                  checked={shown.realName === true}
                  checkedChildren="已实名"
                  unCheckedChildren="未实名"
                  onChange={(realName) => set({ realName, ...(realName && { loggedIn: true }) })}
                />
                <Switch
                  checked={shown.loggedIn === true}
                  checkedChildren="已登录"
                  unCheckedChildren="未登录"
                  onChange={(loggedIn) => set({ loggedIn })}
                />
              </div>
            </>
          )}
          <div className="kq-row fl-identity-foot">
            <Button
              size="small"
              onClick={() => {
                onChange(null);
                setOpen(false);
              }}
            >
              恢复为匿名用户
            </Button>
          </div>
        </Form>
      }
    >
      <Button type={value ? 'primary' : 'default'} ghost={value !== null}>
        {value ? '预览身份：已指定' : '预览身份'}
      </Button>
    </Popover>
  );
}
