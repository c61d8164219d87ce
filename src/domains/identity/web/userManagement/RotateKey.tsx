import { Form } from 'antd';
import { againstNow } from '#kernel/web/form/formRules.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { days, instantOf, plusMs } from '#kernel/contract/time.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { queryApiClientList, rotateApiKey, type ApiClient } from '../../contract/calls/apiClients.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';

interface RotateKeyProps {
  client: ApiClient;
  onClose(): void;
  onIssued(answer: { client: ApiClient; keyId: string; secret: string }): void;
}

const MOST_DAYS = 7;

/** 轮换密钥: a new key at once, the old one until the chosen time. */
export function RotateKey({ client, onClose, onIssued }: RotateKeyProps) {
  const [form] = Form.useForm<{ oldKeyExpiresAt: string }>();
  return (
    <FormDialog<typeof rotateApiKey, { oldKeyExpiresAt: string }>
      open
      form={form}
      title={`轮换密钥：${client.name}`}
      width={460}
      call={rotateApiKey}
      version={client.version}
      initial={{ oldKeyExpiresAt: plusMs(instantOf(Date.now()), days(1)) }}
      toInput={({ oldKeyExpiresAt }) => ({ id: client.id, version: client.version, oldKeyExpiresAt })}
      refreshes={[queryApiClientList]}
      onDone={({ data }) => onIssued(data)}
      onClose={onClose}
    >
      <p className="kq-muted">新密钥立即生效，旧密钥在所选时间之前仍可使用，最长{MOST_DAYS}天。</p>
      <Field
        of={rotateApiKey}
        name="oldKeyExpiresAt"
        rules={[
          againstNow((at?: string) => {
            if (at && Date.parse(at) > Date.now() + days(MOST_DAYS)) return `旧密钥最多再保留${MOST_DAYS}天`;
            return at && Date.parse(at) < Date.now() - 60_000 ? '失效时间不能早于现在' : null;
          }),
        ]}
      >
        <InstantInput />
      </Field>
    </FormDialog>
  );
}
