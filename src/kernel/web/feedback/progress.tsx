import { create } from 'zustand';

/** Long work that goes on while the operator does something else. */
export interface Work {
  id: string;
  title: string;
  /** 0 to 100; absent: not known. */
  percent?: number;
  text?: string;
  state: 'running' | 'done' | 'failed';
  action?: { label: string; act(): void };
}

const useWorks = create<{ works: readonly Work[] }>(() => ({ works: [] }));

/** Shows a piece of work in the corner, or brings its card up to date. */
export const showWork = (work: Work): void =>
  useWorks.setState(({ works }) => ({ works: [...works.filter(({ id }) => id !== work.id), work] }));
export const hideWork = (id: string): void => useWorks.setState(({ works }) => ({ works: works.filter((work) => work.id !== id) }));

/** Corner card that stays over page changes. */
export function WorkCards() {
  const works = useWorks((state) => state.works);
  if (works.length === 0) return null;
  return (
    <aside className="kq-works" aria-label="后台任务进度">
      {works.map((work) => (
        <div key={work.id} className="kq-work">
          <header>
            <span title={work.title}>{work.title}</span>
            <button type="button" className="kq-tab-close" aria-label="关闭" onClick={() => hideWork(work.id)}>
              ×
            </button>
          </header>
          <progress className={`kq-bar kq-bar-${work.state}`} max={100} {...(work.percent !== undefined && { value: work.percent })} />
          <footer>
            <span className="kq-muted">{work.text}</span>
            {work.action && (
              <button type="button" className="kq-link" onClick={work.action.act}>
                {work.action.label}
              </button>
            )}
          </footer>
        </div>
      ))}
    </aside>
  );
}
