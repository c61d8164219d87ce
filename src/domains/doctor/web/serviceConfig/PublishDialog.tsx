import { Form, Radio } from 'antd';
import type { Instant } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { publishServiceConfig, queryServiceConfig, type ServiceConfigRow } from '../../contract/calls/config.ts';
import { DiffTable, linesOf } from './configDiff.tsx';
import type { LoadedConfig } from './loadedConfig.ts';

interface Values {
  when: 'NOW' | 'LATER';
  at?: Instant | null;
  note?: string;
}

/** Asks for the effective time and shows what will be different. */
export function PublishDialog({ config, draft, onClose }: { config: LoadedConfig; draft: ServiceConfigRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const when = Form.useWatch('when', form);
  const nameOf = (fileId: string) => config.agreements.find((file) => file.fileId === fileId)?.fileName ?? fileId;
  return (
    <FormDialog<typeof publishServiceConfig, Values>
      open
      form={form}
      title={`发布服务配置 V${draft.versionNo}`}
      width={680}
      call={publishServiceConfig}
      initial={{ when: 'NOW', note: draft.note }}
      success={SERVER_MESSAGE}
      refreshes={[queryServiceConfig]}
      submitText="发布"
      onClose={onClose}
      toInput={({ when: chosen, at, note = '' }) => ({
        id: draft.id,
        version: draft.version,
        effectiveFrom: chosen === 'LATER' ? (at ?? null) : null,
        note,
      })}
    >
      <h3 className="ds-heading">与生效版本的差异</h3>
      <DiffTable
        lines={linesOf(config.active?.content ?? null, draft.content)}
        heads={[config.active ? `生效中 V${config.active.versionNo}` : '系统默认', `草稿 V${draft.versionNo}`]}
        nameOf={nameOf}
      />
      <Form.Item label="生效时间" name="when" style={{ marginTop: 16 }}>
        <Radio.Group
          options={[
            { value: 'NOW', label: '立即生效' },
            { value: 'LATER', label: '定时生效' },
          ]}
        />
      </Form.Item>
      {when === 'LATER' && (
        <Form.Item label="定时时间（北京时间）" name="at" rules={[{ required: true, message: '请选择生效时间' }]}>
          <InstantInput minuteStep={5} />
        </Form.Item>
      )}
      <Field of={publishServiceConfig} name="note" label="版本说明" />
    </FormDialog>
  );
}
