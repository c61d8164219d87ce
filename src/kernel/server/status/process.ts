import type { ObjectStorage } from '../storage/objectStorage.ts';
import type { FigureValue, StatusSource } from './figure.ts';

export interface PoolState {
  total: number;
  idle: number;
  waiting: number;
  max: number;
}

/** What this process sees of the machine around it; nothing of it asks the database. */
export interface Surroundings {
  pool(): PoolState;
  storage: ObjectStorage;
  /** Null where none is configured. */
  redisUp(): boolean | null;
}

const GIB = 1024 ** 3;

/** Redis, connections and storage of this process. */
export const processSource = ({ pool, storage, redisUp }: Surroundings): StatusSource => ({
  title: '数据库与本节点',
  needsDatabase: false,
  figures: [
    {
      metric: 'kangqiao_redis_up',
      help: '1 while this process reaches Redis; absent where none is configured',
      label: 'Redis可用',
      unit: 'YES_NO',
      absent: '未配置',
      limit: { side: 'below', amber: 1, minutes: 5 },
    },
    {
      metric: 'kangqiao_pool_used_ratio',
      help: 'Database connections in use, as a share of the most that this process opens',
      label: '数据库连接占用',
      unit: 'SHARE',
      limit: { side: 'above', amber: 0.8, red: 0.95, minutes: 5 },
    },
    {
      metric: 'kangqiao_storage_free_bytes',
      help: 'Free bytes of the file system that holds the files; absent for S3',
      label: '文件存储剩余空间',
      unit: 'BYTES',
      absent: '对象存储不提供',
      limit: { side: 'below', amber: 5 * GIB, red: GIB, minutes: 5 },
    },
    {
      metric: 'kangqiao_storage_free_ratio',
      help: 'Free share of the file system that holds the files; absent for S3',
      label: '文件存储剩余比例',
      unit: 'SHARE',
      absent: '对象存储不提供',
    },
  ],
  async read() {
    const { total, idle, waiting, max } = pool();
    const redis = redisUp();
    const space = await storage.space();
    const note = `${total - idle}/${max}${waiting > 0 ? `，${waiting}个等待` : ''}`;
    const values: FigureValue[] = [{ metric: 'kangqiao_pool_used_ratio', value: (total - idle) / max, note }];
    if (redis !== null) values.push({ metric: 'kangqiao_redis_up', value: redis ? 1 : 0 });
    if (space === null) return values;
    return [
      ...values,
      { metric: 'kangqiao_storage_free_bytes', value: space.free },
      { metric: 'kangqiao_storage_free_ratio', value: space.free / space.size },
    ];
  },
});
