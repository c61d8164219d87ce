import { useCallback, useMemo, useRef, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { labelAt } from '#kernel/contract/labels.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { versionDocument, type VersionDocument } from '../../contract/model/document.ts';
import { problemsOf } from '../../contract/model/problems.ts';
import { namedThings, namesFrom, type NamedThings } from '../../contract/model/names.ts';
import { statementDifferences, statementsOf } from '../../contract/model/statements.ts';
import { modifyProductVersion, type queryProductVersionDetail } from '../../contract/products/calls.ts';
import { DiffTable } from './DiffTable.tsx';
import { versionReads } from './useVersionCommand.ts';

export interface Listed {
  path: string;
  level: 'ERROR' | 'WARN';
  message: string;
}

/** What the schema refuses, with its place and in the words of the field. */
function schemaFaults(document: VersionDocument): Listed[] {
  const result = versionDocument.safeParse(document);
  return (result.error?.issues ?? []).map(({ path, message }) => {
    const label = labelAt(versionDocument, path) ?? '';
    return {
      path: path.map(String).join('.'),
      level: 'ERROR' as const,
      message: message === 'Invalid input' || message === '' ? `请填写${label}` : message,
    };
  });
}

/** The document that is being written: what is wrong with it while it is typed, saved as one, and held against a colleague's change. */
export function useVersionDraft(detail: AnswerOf<typeof queryProductVersionDetail>) {
  const [document, setDocument] = useState(detail.document);
  const [saved, setSaved] = useState(detail.document);
  const version = useRef(detail.head.version);
  const base = useRef(detail.document);
  const command = useCommand(modifyProductVersion, { success: '修改成功!', refreshes: versionReads });
  const change = useCallback((patch: Partial<VersionDocument>) => setDocument((now) => ({ ...now, ...patch })), []);
  const faults = useMemo(() => schemaFaults(document), [document]);
  const problems = useMemo(() => {
    const wrong = new Set(faults.map(({ path }) => path));
    const found = faults.length > 0 ? [] : problemsOf(document, detail.productLine);
    return [
      ...faults,
      ...found.filter(({ path }) => !wrong.has(path)).map(({ path, level, message }): Listed => ({ path, level, message })),
    ];
  }, [document, faults, detail.productLine]);
  const dirty = document !== saved;

  /** @returns whether it is saved now. */
  const save = useCallback(async (): Promise<boolean> => {
    if (faults.length > 0) {
      toastError(`请先修正：${faults[0]!.message}`);
      return false;
    }
    try {
      const answer = await command.run({ productVersionId: detail.head.id, version: version.current, document }, { quiet: true });
      if (!answer) return false;
      version.current = answer.data.version;
      base.current = document;
      setSaved(document);
      return true;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const theirs = error.code === platformErrors.CHANGED.code ? theirsOf(error.data) : null;
      if (!theirs) {
        toastError(error.fields[0]?.message ?? failureText(error));
        return false;
      }
      const names = namesFrom(theirs.named ?? detail.named);
      const load = await ask({
        title: '版本已被他人修改',
        width: 920,
        content: (
          <div className="kq-conflict">
            <p>{error.message}</p>
            <DiffTable
              differences={statementDifferences(statementsOf(base.current, [], names), statementsOf(theirs.document, [], names))}
              titles={['您打开时', '当前内容']}
              none="内容一致"
            />
          </div>
        ),
        ok: '载入当前内容',
        cancel: '保留我的内容',
      });
      // Either way the next save is made on the version that the operator has been shown.
      version.current = theirs.version;
      base.current = theirs.document;
      if (load) {
        setDocument(theirs.document);
        setSaved(theirs.document);
      }
      return false;
    }
  }, [command, detail.head.id, detail.named, document, faults]);

  const faultOf = useCallback((path: string) => faults.find((one) => one.path === path)?.message, [faults]);
  return { document, change, dirty, problems, faultOf, save, busy: command.busy, version };
}

function theirsOf(data: unknown): { document: VersionDocument; version: number; named: NamedThings | null } | null {
  if (typeof data !== 'object' || data === null || !('current' in data)) return null;
  const { current } = data;
  if (typeof current !== 'object' || current === null || !('document' in current) || !('version' in current)) return null;
  const read = versionDocument.safeParse(current.document);
  if (!read.success || typeof current.version !== 'number') return null;
  const named = namedThings.safeParse('named' in current ? current.named : null);
  return { document: read.data, version: current.version, named: named.success ? named.data : null };
}
