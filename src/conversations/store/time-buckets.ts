/** Times count by their first two digits, so that a day has few different ones: 1,290 ms counts as 1,200 ms. The longest is 10,000 s. */
const decades = [1, 2, 3, 4, 5];

/** The bucket of some milliseconds, in SQL: null for null. A longer time never has an earlier bucket. */
export function bucketSql(column: string): string {
  const cases = decades.map((decade) => {
    const step = 10 ** decade;
    return `when ${column} < ${100 * step} then ${90 * decade} + ${column} / ${step}`;
  });
  const most = 90 * (decades.length + 1) + 10;
  return `case when ${column} < 100 then ${column} ${cases.join(' ')} when ${column} is not null then ${most} end`;
}

/** The shortest time of a bucket, in milliseconds. */
export function bucketMs(bucket: number): number {
  const decade = Math.max(0, Math.floor((bucket - 10) / 90));
  return (bucket - 90 * decade) * 10 ** decade;
}
