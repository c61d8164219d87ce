import { Alert, Button, Form, Select } from 'antd';
import { use, useMemo, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { PageContext, useUnsaved } from '#kernel/web/tabs/page.tsx';
import { forgetUnsaved, tabs, useTabs } from '#kernel/web/tabs/store.ts';
import { addRoleInfo, modifyRoleInfo, queryRoleInfoDetail, queryRoleInfoList } from '../../contract/calls/roles.ts';
import { identityErrors } from '../../contract/errors.ts';
import { showWarnings } from '../shared/dutyWarnings.ts';
import { TextArea, TextInput } from '#kernel/web/kit/TextInput.tsx';
import { DifferenceView } from './DifferenceView.tsx';
import { DutyAlert, dutiesOf } from './DutyAlert.tsx';
import { PermissionTree } from './PermissionTree.tsx';
import { showRoleConflict } from './roleConflict.tsx';
import { differenceOf, factChanges, flatten, isSame } from './selection.ts';
import type { Chosen, Permission, RoleFacts, RoleNode } from './selection.ts';

type Role = AnswerOf<typeof queryRoleInfoDetail>;

interface RoleEditorProps {
  /** The saved role, or the one that is copied; null for a new one. */
  role: Role | null;
  copying: boolean;
  nodes: readonly RoleNode[];
  /** Permissions under no page. */
  loose: readonly Permission[];
  catalogue: readonly Permission[];
}

interface Facts extends RoleFacts {
  roleCode: string;
}

const NOTHING: Chosen = { menus: new Set(), permissions: new Set() };
const chosenOf = (role: Role | null): Chosen =>
  role ? { menus: new Set(role.menuIds), permissions: new Set(role.permissions.map(({ code }) => code)) } : NOTHING;
const factsOf = (role: Role | null, copying: boolean): Facts => ({
  roleCode: copying ? '' : (role?.roleCode ?? ''),
  name: copying && role ? `${role.name}-副本`.slice(0, 20) : (role?.name ?? ''),
  description: role?.description ?? '',
  defaultRouteKey: role?.defaultRouteKey ?? null,
});

/** Name, description, first page at the left; menus with their permissions at the right. */
export function RoleEditor({ role, copying, nodes, loose, catalogue }: RoleEditorProps) {
  const { tabKey } = use(PageContext);
  // What the edit is compared with and saved on: the role as it was opened, or as another has saved it meanwhile.
  const [base, setBase] = useState(role);
  const existing = base && !copying ? base : null;
  const saved = useMemo(() => chosenOf(existing), [existing]);
  const first = useMemo(() => factsOf(base, copying), [base, copying]);
  const [facts, setFacts] = useState(first);
  const [chosen, setChosen] = useState(() => chosenOf(role));
  const [faults, setFaults] = useState<Partial<Record<keyof Facts, string>>>({});
  const [alert, setAlert] = useState<string | null>(null);
  const [finished, setFinished] = useState(false);
  const difference = useMemo(() => differenceOf(saved, chosen), [saved, chosen]);
  const changes = existing ? factChanges(nodes, first, facts) : [];
  const factsChanged = (Object.keys(first) as (keyof Facts)[]).some((key) => facts[key] !== first[key]);
  const dirty = !finished && (factsChanged || (existing || !copying ? !isSame(difference) : true));
  useUnsaved(dirty);

  const add = useCommand(addRoleInfo);
  const modify = useCommand(modifyRoleInfo);
  const busy = add.busy || modify.busy;
  const duties = useMemo(() => dutiesOf(catalogue, chosen.permissions), [catalogue, chosen.permissions]);
  const pages = useMemo(() => flatten(nodes).filter(({ menu }) => menu.routeKey && chosen.menus.has(menu.id)), [nodes, chosen.menus]);
  const set = (patch: Partial<Facts>) => {
    setFacts((now) => ({ ...now, ...patch }));
    setFaults((now) => ({ ...now, ...Object.fromEntries(Object.keys(patch).map((key) => [key, undefined])) }));
  };

  const body = () => ({
    name: facts.name.trim(),
    description: facts.description.trim(),
    menuIds: [...chosen.menus],
    permissions: [...chosen.permissions],
    // A first page that the role no longer has would lead nowhere.
    defaultRouteKey: pages.some(({ menu }) => menu.routeKey === facts.defaultRouteKey) ? facts.defaultRouteKey : null,
    confirmHigh: true,
  });
  const save = async () => {
    if (busy) return;
    setAlert(null);
    if (!facts.name.trim()) return setFaults({ name: '请输入角色名称' });
    if (chosen.menus.size === 0) return setAlert(identityErrors.NO_MENU.text);
    // Said above the buttons already.
    if (duties.refused.length > 0) return;
    const high = difference.addedPermissions.filter((code) =>
      catalogue.some((permission) => permission.code === code && permission.risk === 'HIGH'),
    );
    const yes = await ask({
      title: '保存角色',
      width: 640,
      danger: high.length + duties.warned.length > 0,
      ok: high.length ? '确认授予并保存' : duties.warned.length ? '仍要保存' : '保存',
      content: (
        <>
          <DutyAlert refused={[]} warned={duties.warned} />
          <DifferenceView difference={difference} facts={changes} nodes={nodes} catalogue={catalogue} users={existing?.userCount ?? 0} />
        </>
      ),
    });
    if (!yes) return;
    try {
      const answer = existing
        ? await modify.run({ id: existing.id, version: existing.version, ...body() }, { quiet: true })
        : await add.run({ ...(facts.roleCode.trim() && { roleCode: facts.roleCode.trim() }), ...body() }, { quiet: true });
      if (!answer) return;
      toast(answer.message);
      // Pairs within the role were confirmed; what people's other roles join with it is only known now.
      void showWarnings(answer.data.warnings.filter((text) => !duties.warned.includes(text)));
      setFinished(true);
      backToList();
      tabs.close(tabKey);
      forgetUnsaved(tabKey);
      void refresh(queryRoleInfoList, queryRoleInfoDetail);
    } catch (error) {
      await explain(error);
    }
  };
  const explain = async (error: unknown) => {
    if (error instanceof RefusalError && error.code === platformErrors.CHANGED.code && existing) {
      // Two administrators: the difference to what stands now, then his version or mine again.
      const { current, reload } = await showRoleConflict(error.message, existing.id, { ...body(), ...chosen }, nodes, catalogue);
      if (reload) void refresh(queryRoleInfoDetail);
      else setBase(current);
      return;
    }
    if (error instanceof RefusalError && error.code === identityErrors.ROLE_NAME_TAKEN.code) return setFaults({ name: error.message });
    const inline =
      error instanceof RefusalError
        ? Object.fromEntries(error.fields.filter(({ path }) => path in first).map(({ path, message }) => [path, message]))
        : {};
    setFaults(inline);
    if (Object.keys(inline).length === 0)
      setAlert(error instanceof RefusalError && error.fields[0] ? error.fields[0].message : failureText(error));
  };
  const compare = () =>
    void ask({
      title: '与已保存版本对比',
      width: 640,
      ok: '知道了',
      cancel: '关闭',
      content:
        isSame(difference) && changes.length === 0 ? (
          '与已保存版本相同'
        ) : (
          <DifferenceView difference={difference} facts={changes} nodes={nodes} catalogue={catalogue} users={existing?.userCount ?? 0} />
        ),
    });
  useKeys([{ keys: 'Ctrl+S', label: '保存角色', act: () => void save(), inFields: true }]);

  return (
    <div className="id-edit-page">
      <div className="id-edit-role">
        <section>
          <Form layout="vertical" requiredMark>
            <Form.Item label="角色编码" extra={existing ? '编码不能修改' : '大写字母开头，不填由系统生成'} {...fault(faults.roleCode)}>
              <TextInput
                value={facts.roleCode}
                disabled={existing !== null}
                most={32}
                aria-label="角色编码"
                onChange={(event) => set({ roleCode: event.target.value.toUpperCase() })}
              />
            </Form.Item>
            <Form.Item label="角色名称" required {...fault(faults.name)}>
              <TextInput
                value={facts.name}
                most={20}
                showCount
                aria-label="角色名称"
                onChange={(event) => set({ name: event.target.value })}
              />
            </Form.Item>
            <Form.Item label="说明" {...fault(faults.description)}>
              <TextArea
                value={facts.description}
                rows={4}
                most={200}
                showCount
                aria-label="说明"
                onChange={(event) => set({ description: event.target.value })}
              />
            </Form.Item>
            <Form.Item label="首页" extra="登录后首先打开的页面" {...fault(faults.defaultRouteKey)}>
              <Select
                allowClear
                aria-label="首页"
                showSearch={{ optionFilterProp: 'label' }}
                value={pages.some(({ menu }) => menu.routeKey === facts.defaultRouteKey) ? facts.defaultRouteKey : null}
                placeholder="菜单中的第一个页面"
                options={pages.map(({ menu }) => ({ value: menu.routeKey, label: menu.titleName }))}
                onChange={(key?: string | null) => set({ defaultRouteKey: key ?? null })}
              />
            </Form.Item>
          </Form>
          <p className="kq-muted">
            修改保存后，{existing ? `${existing.userCount}名用户` : '持有该角色的用户'}的下一次操作即按新权限执行。
          </p>
        </section>
        <section>
          <PermissionTree
            nodes={nodes}
            loose={loose}
            chosen={chosen}
            saved={existing ? saved : null}
            onChange={setChosen}
            onCompare={existing ? compare : undefined}
          />
        </section>
      </div>
      <DutyAlert {...duties} />
      {alert && <Alert type="error" showIcon title={alert} />}
      <div className="kq-form-foot">
        <span className="kq-muted">
          已选{chosen.menus.size}个菜单、{chosen.permissions.size}项权限
        </span>
        <Button onClick={backToList}>返回</Button>
        <Button
          type="primary"
          loading={add.flying || modify.flying}
          disabled={busy || !dirty || duties.refused.length > 0}
          onClick={() => void save()}
        >
          保存
        </Button>
      </div>
    </div>
  );
}

/** The list as it was left, with its filters. */
const backToList = () => goTo('/roleManagement', useTabs.getState().tabs.find((tab) => tab.path === '/roleManagement')?.search ?? {});

const fault = (text: string | undefined) => (text ? { validateStatus: 'error' as const, help: text } : {});
