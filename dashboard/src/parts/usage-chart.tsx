import type { UsageDay } from "../api/usage.ts";

const height = 160;
const barWidth = 20;
const step = 28;
const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** Units per day as stacked bars; the table below the chart says the same in numbers. */
export function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(0, ...days.map(totalOf));
  const width = days.length * step;
  const total = days.reduce((sum, day) => sum + totalOf(day), 0);
  return (
    <figure className="usage-chart">
      <svg
        viewBox={`0 0 ${width} ${height + 24}`}
        role="img"
        aria-label={`${total} units in ${days.length} days, at most ${most} a day`}
      >
        <line x1="0" x2={width} y1={height} y2={height} className="chart-axis" />
        {days.map((day, index) => (
          <Bar key={day.day} day={day} x={index * step + (step - barWidth) / 2} max={Math.max(1, most)} />
        ))}
        {days.map(
          ({ day }, index) =>
            (days.length - 1 - index) % 7 === 0 && (
              <text key={day} x={(index + 1) * step} y={height + 18} textAnchor="end" className="chart-label">
                {dayFormat.format(new Date(day))}
              </text>
            ),
        )}
      </svg>
      <figcaption className="row faint">
        <span className="legend searches">Searches</span>
        <span className="legend jobs">Jobs</span>
        <span className="legend collections">Collections</span>
        <span>Most on one day: {most.toLocaleString()}</span>
      </figcaption>
    </figure>
  );
}

function Bar({ day, x, max }: { day: UsageDay; x: number; max: number }) {
  const jobs = (day.jobs / max) * (height - 8);
  const searches = (day.searches / max) * (height - 8);
  const others = (day.other / max) * (height - 8);
  return (
    <g>
      <title>{`${dayFormat.format(new Date(day.day))}: ${day.searches} for searches, ${day.jobs} for jobs, ${day.other} for collections`}</title>
      {totalOf(day) === 0 && <rect x={x} y={height - 2} width={barWidth} height={2} rx={1} className="bar none" />}
      {jobs > 0 && <rect x={x} y={height - jobs} width={barWidth} height={jobs} rx={3} className="bar jobs" />}
      {others > 0 && (
        <rect
          x={x}
          y={height - jobs - searches - others}
          width={barWidth}
          height={others}
          rx={3}
          className="bar collections"
        />
      )}
      {searches > 0 && (
        <rect x={x} y={height - jobs - searches} width={barWidth} height={searches} rx={3} className="bar searches" />
      )}
    </g>
  );
}

function totalOf({ searches, jobs, other }: UsageDay): number {
  return searches + jobs + other;
}
