// The typed operators' statements: only Scala and Java have them. Compiled and run by ../make_operator_fixtures.py.
import org.apache.spark.sql.{Encoder, Encoders, SparkSession}
import org.apache.spark.sql.expressions.Aggregator
import org.apache.spark.sql.functions._
import org.apache.spark.sql.streaming.{GroupStateTimeout, OutputMode, Trigger}

case class Order(order_id: Long, customer_id: Long, amount: Double)

object Total extends Aggregator[Order, Double, Double] {
  def zero: Double = 0
  def reduce(total: Double, order: Order): Double = total + order.amount
  def merge(left: Double, right: Double): Double = left + right
  def finish(total: Double): Double = total
  def bufferEncoder: Encoder[Double] = Encoders.scalaDouble
  def outputEncoder: Encoder[Double] = Encoders.scalaDouble
}

object Typed {
  def main(arguments: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    val sc = spark.sparkContext
    import spark.implicits._

    def named(name: String)(action: => Unit): Unit = {
      sc.setJobDescription(name)
      action
      sc.setJobDescription(null)
    }

    spark.range(10).selectExpr("id AS order_id", "id % 3 AS customer_id", "CAST(id * 1.5 AS DOUBLE) AS amount").write.saveAsTable("orders")
    val orders = spark.table("orders").as[Order]
    spark.range(5).selectExpr("id AS order_id", "id AS customer_id", "CAST(id AS DOUBLE) AS amount").write.saveAsTable("others")
    val others = spark.table("others").as[Order]

    named("typed/map") { orders.map(order => (order.order_id, order.amount * 2)).collect() }
    named("typed/map_partitions") { orders.mapPartitions(rows => rows.map(row => row.customer_id + 1)).collect() }
    named("typed/filter") { orders.filter(order => order.amount > 1).select("order_id").collect() }
    named("typed/typed_filter") { orders.filter(order => order.amount > 1).write.saveAsTable("kept") }
    named("typed/map_groups") { orders.groupByKey(_.customer_id).mapGroups((key, rows) => (key, rows.size)).collect() }
    named("typed/reduce_groups") { orders.groupByKey(_.customer_id).count().collect() }
    named("typed/aggregator") { orders.groupByKey(_.customer_id).agg(Total.toColumn.name("total")).collect() }
    val stream = spark.readStream.schema(orders.schema).parquet(spark.conf.get("spark.sql.warehouse.dir") + "/orders").as[Order]
    stream.groupByKey(_.customer_id).flatMapGroupsWithState[Long, (Long, Long)](OutputMode.Append, GroupStateTimeout.NoTimeout) {
      (key, rows, state) => state.update(rows.size); Iterator((key, state.get))
    }.writeStream.format("noop").queryName("typed/map_groups_with_state").option("checkpointLocation", "states")
      .trigger(Trigger.AvailableNow()).start().awaitTermination()
    named("typed/cogroup") {
      orders.groupByKey(_.customer_id).cogroup(others.groupByKey(_.order_id))((key, left, right) => Iterator((key, left.size + right.size))).collect()
    }
    named("typed/join_with") { orders.joinWith(others, orders("order_id") === others("order_id")).map(pair => pair._1.amount + pair._2.amount).collect() }
    named("typed/rdd") { sc.parallelize(Seq(Order(1, 2, 3.0))).toDS().map(_.order_id).collect() }
    spark.stop()
  }
}
