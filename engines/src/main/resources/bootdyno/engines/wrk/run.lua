-- Preceded by the request and by the table `dyno` with parameters.

if dyno.script then
   -- wrk itself would print the error of a broken script and continue.
   local loaded, why = pcall(dofile, dyno.script)
   if not loaded then
      -- A missing module is named in the first line, before all the places that were searched.
      io.stderr:write("the script failed: ", tostring(why):match("[^\n]*"), "\n")
      os.exit(1)
   end
end

local threads = {}

if dyno.status then
   -- Globals, because only these can be read from other threads.
   bootdyno_status, bootdyno_body = 0, 0

   local their_response = response
   function response(status, headers, body)
      if status ~= dyno.status then
         bootdyno_status = bootdyno_status + 1
      elseif dyno.body and body ~= dyno.body then
         bootdyno_body = bootdyno_body + 1
      end
      if their_response then return their_response(status, headers, body) end
   end
end

local their_setup = setup
function setup(thread)
   threads[#threads + 1] = thread
   if their_setup then their_setup(thread) end
   local chosen = tostring(thread.addr)
   for _, address in ipairs(wrk.addrs) do
      if tostring(address) == chosen then return end
   end
   io.stderr:write("the script sends to ", chosen, ", which is not the address of the application\n")
   os.exit(1)
end

local their_done = done

local function found(summary, latency)
   -- Of all threads, including ended ones.
   local cpu = os.clock()
   local ffi = require("ffi")
   -- stats.h of wrk 4.0 to 4.2. A latency of n µs is counted in data[n]; wrk has already added its correction.
   ffi.cdef [[
      typedef struct { uint64_t count; uint64_t limit; uint64_t min; uint64_t max; uint64_t data[1]; } bootdyno_stats;
   ]]
   local stats = ffi.cast("bootdyno_stats **", latency)[0]
   if tonumber(stats.min) ~= latency.min or tonumber(stats.max) ~= latency.max then
      error("wrk keeps its latencies in another way than expected")
   end

   local file = assert(io.open(dyno.written_to, "w"))
   local function write(name, value)
      file:write(string.format("%s %.17g\n", name, value))
   end
   write("cpu-seconds", cpu)
   write("duration", summary.duration)
   write("requests", summary.requests)
   for _, name in ipairs { "connect", "read", "write", "status", "timeout" } do
      write(name, summary.errors[name])
   end
   if dyno.status then
      local status, body = 0, 0
      for _, thread in ipairs(threads) do
         status = status + thread:get("bootdyno_status")
         body = body + thread:get("bootdyno_body")
      end
      write("checked-status", status)
      write("checked-body", body)
   end
   if stats.count > 0 then
      write("mean", latency.mean)
      for _, percent in ipairs { 50, 75, 90, 99 } do
         write("p" .. percent, latency:percentile(percent))
      end
      local data = stats.data
      for micros = latency.min, latency.max do
         local count = data[micros]
         if count ~= 0 then
            file:write(string.format("at %d %d\n", micros, tonumber(count)))
         end
      end
   end
   file:write("end\n")
   file:close()
end

function done(summary, latency, requests)
   found(summary, latency)
   if their_done and dyno.counts then return their_done(summary, latency, requests) end
end
