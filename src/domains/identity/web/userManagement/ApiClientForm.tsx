import { Form, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { needsHouse } from '#kernel/contract/machine.ts';
import { ChainPicker, InsurerPicker } from '#kernel/web/kit/pickers.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addApiClient, modifyApiClient, queryApiClientList, type ApiClient } from '../../contract/calls/apiClients.ts';
import type { apiParties } from '../../contract/dictionaries.ts';
import { EVERYTHING } from '../shared/scope.ts';
import type { Scope } from '../shared/scope.ts';
import { ScopeEditor } from '../shared/ScopeEditor.tsx';
import { ApiRights } from './ApiRights.tsx';
import { scopeInput } from './assignment.ts';

interface Values {
  name: string;
  party: (typeof apiParties.codes)[number];
  partyId: string | null;
  permissions: string[];
  scope: Scope;
  ipAllow: string[];
  ratePerMin: number;
}

interface ApiClientFormProps {
  /** Null: a new one. */
  client: ApiClient | null;
  onClose(): void;
  onIssued(answer: { client: ApiClient; keyId: string; secret: string }): void;
}

const labels = { name: '名称', party: '类型', partyId: '对应单位', permissions: '权限', ipAllow: 'IP白名单', ratePerMin: '每分钟调用上限' };
const bodyOf = (values: Values): InputOf<typeof addApiClient> => ({
  ...values,
  partyId: needsHouse(values.party) ? values.partyId : null,
  scope: scopeInput(values.scope),
});

/** Drawer 新增/编辑 of a system caller. */
export function ApiClientForm({ client, onClose, onIssued }: ApiClientFormProps) {
  const [form] = Form.useForm<Values>();
  const party = Form.useWatch('party', form) ?? client?.party;
  const shared = { open: true, form, onClose, labels, refreshes: [queryApiClientList] } as const;
  const fields = (
    <>
      <div className="id-two">
        <Field of={addApiClient} name="name" />
        <Field of={addApiClient} name="party" />
      </div>
      {party === 'INSURER' && (
        <Field of={addApiClient} name="partyId" label="对应保司" required extra="只能读写该保司的数据">
          <InsurerPicker placeholder="请选择保司" />
        </Field>
      )}
      {party === 'CHAIN' && (
        <Field of={addApiClient} name="partyId" label="对应连锁" required extra="只能以该连锁的营业门店核销">
          <ChainPicker placeholder="请选择连锁" />
        </Field>
      )}
      <Field of={addApiClient} name="permissions" label="权限" extra="只能调用所选权限包含的接口，可选范围由类型决定">
        <ApiRights party={party} />
      </Field>
      <Form.Item label="数据范围" name="scope" extra="在类型与对应单位之内再限制，范围外的数据按不存在处理">
        <ScopeEditor forMachine />
      </Form.Item>
      <Field of={addApiClient} name="ipAllow" extra="不填则拒绝所有来源地址，可填IP或网段，如 203.0.113.7、203.0.113.0/24">
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ', '、']} placeholder="输入后回车" />
      </Field>
      <Field of={addApiClient} name="ratePerMin" />
    </>
  );
  if (client) {
    return (
      <FormDrawer<typeof modifyApiClient, Values>
        {...shared}
        title={`编辑系统调用方：${client.name}`}
        call={modifyApiClient}
        recordKey={client.id}
        version={client.version}
        initial={{
          name: client.name,
          party: client.party,
          partyId: client.partyId,
          permissions: client.permissions,
          scope: client.scope,
          ipAllow: client.ipAllow,
          ratePerMin: client.ratePerMin,
        }}
        toInput={(values) => ({ id: client.id, version: client.version, ...bodyOf(values) })}
        success="修改成功!"
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addApiClient, Values>
      {...shared}
      title="新增系统调用方"
      call={addApiClient}
      initial={{ partyId: null, permissions: [], scope: EVERYTHING, ipAllow: [], ratePerMin: 600 }}
      toInput={bodyOf}
      success={SERVER_MESSAGE}
      onDone={({ data }) => onIssued(data)}
    >
      {fields}
    </FormDrawer>
  );
}
