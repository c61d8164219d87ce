import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { PoolState } from '../status/process.ts';

export interface Metrics {
  registry: Registry;
  observe(call: string, code: string, seconds: number): void;
  sockets: Gauge;
  jobs: Counter<'job' | 'outcome'>;
  /** Things that should not happen often, by name (`scan_lost`). */
  incidents: Counter<'name'>;
}

/** Prometheus metrics of one process: latency per call, pool, jobs, sockets. */
export function makeMetrics(pool: () => PoolState): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const latency = new Histogram({
    name: 'kangqiao_call_seconds',
    help: 'Latency of calls in seconds',
    labelNames: ['call', 'code'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'kangqiao_pool_connections',
    help: 'Database connections by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting, max } = pool();
      this.set({ state: 'total' }, total);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
      this.set({ state: 'max' }, max);
    },
  });
  return {
    registry,
    observe: (call, code, seconds) => latency.observe({ call, code }, seconds),
    sockets: new Gauge({ name: 'kangqiao_sockets', help: 'Open realtime connections', registers: [registry] }),
    incidents: new Counter({ name: 'kangqiao_incidents_total', help: 'Incidents by name', labelNames: ['name'], registers: [registry] }),
    jobs: new Counter({
      name: 'kangqiao_jobs_total',
      help: 'Background jobs by outcome',
      labelNames: ['job', 'outcome'],
      registers: [registry],
    }),
  };
}
