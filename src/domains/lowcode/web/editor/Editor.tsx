import { Alert, Button, Segmented, Select, Tag } from 'antd';
import { lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import { confirmLeaving } from '#kernel/web/tabs/unsaved.ts';
import { leasePage, publishPage, queryPageDetail, queryPageList } from '../../contract/calls/pages.ts';
import { checkDefinition, queryPageVersion, saveDraft } from '../../contract/calls/versions.ts';
import { versionStates } from '../../contract/dictionaries.ts';
import { queryRoleInfoList } from '#domains/identity/contract/calls/roles.ts';
import { identityPermissions as roleRights } from '#domains/identity/contract/permissions.ts';
import { lowcodePermissions as rights } from '../../contract/permissions.ts';
import { LowcodeFrame } from '../bridge/LowcodeFrame.tsx';
import { publishing } from '../pages/publishing.tsx';
import { Code } from './Code.tsx';
import type { CodeField } from './codeField.ts';
import { Problems } from './Problems.tsx';

const Catalogue = lazy(async () => ({ default: (await import('../pages/Catalogue.tsx')).Catalogue }));
const Difference = lazy(async () => ({ default: (await import('../pages/Difference.tsx')).Difference }));
const Collision = lazy(async () => ({ default: (await import('./Collision.tsx')).Collision }));

const AFTER_TYPING_MS = 300;
const LEASE_MS = 30_000;
type Checked = AnswerOf<typeof checkDefinition>;

interface Props {
  pageId: string;
  versionId: string | null;
  onLeave(): void;
}

/** The editor of one page: the text left, what it looks like right, what is wrong with it below. */
export function Editor({ pageId, versionId, onLeave }: Props) {
  const page = useData(queryPageDetail, { id: pageId }, { quiet: true });
  const shown = versionId ?? page.data?.page.draftVersionId ?? page.data?.page.publishedVersionId ?? null;
  if (!page.data) return <Waiting for={page} />;
  if (shown === null) return <p className="kq-panel">该页面还没有内容</p>;
  return <Desk page={page.data} versionId={shown} onLeave={onLeave} />;
}

function Desk({ page, versionId, onLeave }: { page: AnswerOf<typeof queryPageDetail>; versionId: string; onLeave(): void }) {
  const read = useData(queryPageVersion, { versionId }, { quiet: true });
  // What was read before may have been saved over since.
  if (!read.data || !read.readHere) return <Waiting for={read} />;
  return <Work key={read.data.id} page={page} version={read.data} onLeave={onLeave} />;
}

interface WorkProps {
  page: AnswerOf<typeof queryPageDetail>;
  version: AnswerOf<typeof queryPageVersion>;
  onLeave(): void;
}

function Work({ page: { page }, version, onLeave }: WorkProps) {
  const may = useMay();
  const editable = version.state === 'DRAFT' && may(rights['page.edit']) && page.lockedByName === null;
  const [text, setText] = useState(version.definition);
  const [base, setBase] = useState({ text: version.definition, rowVersion: version.rowVersion });
  const [checked, setChecked] = useState<Checked | null>(null);
  const [good, setGood] = useState<Checked | null>(null);
  const [field, setField] = useState<CodeField | null>(null);
  const layers = useLayers();
  // Asked over the catalogue, which stays open beside the text.
  const question = useLayers();
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide');
  const [whole, setWhole] = useState(false);
  const [samples, setSamples] = useState<readonly { name: string; text: string }[]>([]);
  const dirty = text !== base.text;
  useUnsaved(dirty);
  const next = useRef(0);

  const [role, setRole] = useState<string | null>(null);
  const mayViewRoles = may(roleRights['role.view']);
  const roles = useData(queryRoleInfoList, { pageSize: 100, state: 'ENABLED' }, { quiet: true, enabled: mayViewRoles });

  const check = useCallback(async (definition: string, asRole: string | null) => {
    const wish = { definition, ...(asRole !== null && { role: asRole }) };
    const answer = await send(checkDefinition, wish, { quiet: true }).catch(() => null);
    if (!answer) return null;
    setChecked(answer);
    if (!answer.problems.some(({ severity }) => severity === 'E') && answer.shown) setGood(answer);
    return answer;
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => void check(text, role), AFTER_TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, role, check]);
  useEffect(() => {
    if (!field || !checked) return;
    field.show(checked.problems);
    field.know(checked.datasets);
  }, [field, checked]);

  const [holder, setHolder] = useState<string | null>(null);
  useEffect(() => {
    if (!editable) return;
    const hold = () =>
      void send(leasePage, { pageId: page.id }, { quiet: true }).then(
        ({ displayName, mine }) => setHolder(mine ? null : displayName),
        () => {},
      );
    hold();
    const timer = setInterval(hold, LEASE_MS);
    return () => {
      clearInterval(timer);
      void send(leasePage, { pageId: page.id, release: true }, { quiet: true }).catch(() => {});
    };
  }, [editable, page.id]);

  const save = async (rowVersion = base.rowVersion): Promise<number | null> => {
    if (!editable) return null;
    try {
      const answer = await send(saveDraft, { pageId: page.id, rowVersion, definition: text });
      setBase({ text, rowVersion: answer.rowVersion });
      toast('修改成功!');
      void refresh(queryPageList, queryPageDetail);
      return answer.rowVersion;
    } catch (error) {
      if (error instanceof RefusalError && error.code === platformErrors.CHANGED.code) {
        const { current } = error.data as { current: { definition: string; version: number } };
        askWhose({ theirs: current.definition, rowVersion: current.version, message: error.message });
      }
      return null;
    }
  };
  const askWhose = ({ theirs, rowVersion, message }: { theirs: string; rowVersion: number; message: string }) =>
    question.open((close) => {
      const take = (definition: string) => {
        setBase({ text: theirs, rowVersion });
        field?.setText(definition);
        close();
      };
      return (
        <Collision
          base={base.text}
          mine={text}
          theirs={theirs}
          message={message}
          onClose={close}
          onMerge={take}
          onOverwrite={() => {
            close();
            void save(rowVersion);
          }}
          onTake={() => take(theirs)}
        />
      );
    });
  const compare = () => {
    const published = page.publishedVersionId;
    if (published !== null) layers.open((close) => <Difference a={published} b={version.id} onClose={close} />);
  };
  const publish = async () => {
    if (!editable || !may(rights['page.publish'])) return;
    const rowVersion = dirty ? await save() : base.rowVersion;
    if (rowVersion === null) return;
    const done = await publishing({
      title: `发布“${page.title}”`,
      facts: [
        { label: '页面', value: `${page.title}（${page.token}）` },
        { label: '版本', value: `v${version.versionNo}` },
        { label: '权限', value: page.permissionLabel },
      ],
      send: (wish) =>
        send(publishPage, { pageId: page.id, versionId: version.id, rowVersion, ...wish }, { idempotencyKey: crypto.randomUUID() }),
    });
    if (!done) return;
    toast('发布成功!');
    await refresh(queryPageList, queryPageDetail);
    onLeave();
  };
  const go = () => {
    const problems = checked?.problems ?? [];
    const problem = problems[next.current % Math.max(1, problems.length)];
    next.current += 1;
    if (problem) field?.goTo(problem.pointer);
  };
  const leave = async () => {
    if (!dirty || (await confirmLeaving())) onLeave();
  };
  useKeys([
    { keys: 'Ctrl+S', label: '保存草稿', act: () => void save(), inFields: true },
    { keys: 'Ctrl+Shift+C', label: '校验', act: () => void check(text, role), inFields: true },
    { keys: 'Ctrl+Enter', label: '发布', act: () => void publish(), inFields: true },
    { keys: 'F8', label: '下一处问题', act: go, inFields: true },
  ]);

  const place = useMemo(
    () => good && { pageToken: page.token, versionId: version.id, datasets: good.datasets },
    [good, page.token, version.id],
  );
  const stale = good !== null && checked !== good;
  return (
    <div className="lc-editor">
      <header className="lc-editor-head">
        <Button onClick={() => void leave()}>返回列表</Button>
        <h2>{page.title}</h2>
        <code>/{page.token}</code>
        <Tag>
          v{version.versionNo} {versionStates.label(version.state)}
        </Tag>
        {dirty && <Tag color="warning">未保存</Tag>}
        <span className="lc-editor-gap" />
        <Select
          aria-label="示例"
          placeholder="示例"
          style={{ width: 200 }}
          showSearch={{ optionFilterProp: 'label' }}
          value={null}
          onOpenChange={(open) => {
            if (open && samples.length === 0)
              import('../../contract/samples.ts').then(
                (loaded) => setSamples(loaded.samples),
                () => toastError('示例加载失败，请重试'),
              );
          }}
          options={samples.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name: string | null) => {
            const sample = samples.find((one) => one.name === name);
            if (sample) field?.setText(sample.text);
          }}
        />
        <Button onClick={() => layers.open((close) => <Catalogue onClose={close} onInsert={(part) => field?.insert(part)} />)}>
          数据集
        </Button>
        <Button onClick={() => void check(text, role).then((answer) => answer && toast(`${answer.problems.length}处问题`, 'info'))}>
          校验
        </Button>
        <Button disabled={page.publishedVersionId === null || page.publishedVersionId === version.id} onClick={compare}>
          与发布版对比
        </Button>
        <Button onClick={() => setWhole(!whole)}>{whole ? '退出全屏预览' : '预览全屏'}</Button>
        <Button disabled={!editable} onClick={() => void save()}>
          保存草稿
        </Button>
        {may(rights['page.publish']) && (
          <Button type="primary" disabled={!editable} onClick={() => void publish()}>
            发布
          </Button>
        )}
      </header>
      {holder !== null && <Alert banner type="warning" title={`${holder}正在编辑`} />}
      {!editable && <Alert banner type="info" title="当前版本只读，如需修改请在版本列表中选择“由此编辑”" />}
      <div className="lc-editor-work" style={whole ? { gridTemplateColumns: '0 minmax(0, 1fr)' } : undefined}>
        <Code text={text} onChange={setText} onReady={setField} />
        <div className={stale ? 'lc-editor-shown lc-stale' : 'lc-editor-shown'}>
          <div className="lc-editor-bar">
            <Segmented
              size="small"
              aria-label="预览宽度"
              value={width}
              onChange={setWidth}
              options={[
                { value: 'wide', label: '桌面' },
                { value: 'narrow', label: '窄屏' },
              ]}
            />
            {mayViewRoles && (
              <Select<string>
                size="small"
                aria-label="以角色预览"
                placeholder="以角色预览"
                style={{ width: 150 }}
                allowClear
                showSearch={{ optionFilterProp: 'label' }}
                value={role}
                options={(roles.data?.rows ?? []).map(({ roleCode, name }) => ({ value: roleCode, label: name }))}
                onChange={(next?: string) => setRole(next ?? null)}
              />
            )}
            <span className="lc-muted">
              {role !== null && !stale ? '按所选角色显示，数据为本人权限内' : stale ? '预览为上一次有效内容' : '预览中不执行写操作'}
            </span>
          </div>
          {place && good ? (
            <div className={width === 'narrow' ? 'lc-frame-place lc-narrow' : 'lc-frame-place lc-wide'}>
              <LowcodeFrame page={place} title={`${page.title}预览`} definition={good.shown} query={{}} />
            </div>
          ) : (
            <p className="kq-panel">{checked ? '定义有错误，修正后显示预览' : '正在校验…'}</p>
          )}
        </div>
      </div>
      <Problems of={checked?.problems ?? []} onGo={(pointer) => field?.goTo(pointer)} />
      {layers.shown}
      {question.shown}
    </div>
  );
}
